/* SPDX-License-Identifier: MIT */
/*
 * Tables of the papers in their own rows and columns, as reports/text/tables.txt describes them.
 * Each cell has the printed value, our value, the deviation and the verdict.
 */
#include "reports/formula.h"
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 256, MORE_DECIMALS = 2 /* of ours than are printed */, DIGITS = 5, FEW_DIGITS = 2 };

/* "PRINTED @ROW / ENTRY * FACTOR" taken apart. */
typedef struct cell {
    char printed[CELL_SIZE], row[CELL_SIZE], entry[CELL_SIZE];
    double factor;
} cell;

typedef enum standing { NOT_JUDGED, HOLDS, MISPRINT, FAILS, STANDINGS } standing;

/* Results of verify for a cell. */
typedef struct finding {
    standing standing;

    /* The first row; NULL if the cell has none. */
    const json_t *row;

    char ours[CELL_SIZE], other[CELL_SIZE];

    /* NAN: the row has no deviation. */
    double deviation;
} finding;

typedef struct tables {
    ic_web *web;
    FILE *out;
    const char *page;
    char head[IC_LINE_SIZE];
    size_t count[STANDINGS];
    bool open, any;
} tables;

/* ---- cells as they are described */

/* The text after `mark`, which is removed from `mark` on; "" without a mark. */
static const char *cut_at(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (at == NULL) return "";
    *at = '\0';
    return at + strlen(mark);
}

static cell read_cell(const char *text)
{
    cell c = {.factor = 1};
    char rest[2 * CELL_SIZE];
    snprintf(rest, sizeof rest, "%s", text);
    const char *row = cut_at(rest, " @");
    snprintf(c.printed, sizeof c.printed, "%.*s", CELL_SIZE - 1, rest);
    memmove(rest, row, strlen(row) + 1);
    const char *factor = cut_at(rest, " * ");
    if (factor[0] != '\0') c.factor = strtod(factor, NULL);
    const char *entry = cut_at(rest, " / ");
    snprintf(c.entry, sizeof c.entry, "%.*s", CELL_SIZE - 1, entry);
    snprintf(c.row, sizeof c.row, "%.*s", CELL_SIZE - 1, rest);
    return c;
}

bool ic_text_is_of(const char *what, const char *row)
{
    const size_t n = strlen(row);
    return n > 0 && strncmp(what, row, n) == 0 &&
           !(isalnum((unsigned char)row[n - 1]) && isalnum((unsigned char)what[n]));
}

/* The printed number, NAN if it is not a plain number. */
static double number_of(const char *printed)
{
    char *end;
    const double value = strtod(printed, &end);
    return end != printed && *end == '\0' ? value : NAN;
}

/* ---- results of verify */

static standing standing_of(const json_t *row)
{
    if (ic_report_failed(row)) return FAILS;
    /* evidence that holds is of a cell that does not, counted with the erratum above it */
    if (ic_text_is(row, "verdict", "erratum") || ic_text_is(row, "kind", "evidence")) return MISPRINT;
    return ic_text_is(row, "verdict", "pass") ? HOLDS : NOT_JUDGED;
}

/* As many decimals as are printed, and some more. */
static void write_number(char text[CELL_SIZE], const char *printed, double value)
{
    const char *point = strchr(printed, '.');
    const int decimals = point != NULL ? (int)strlen(point + 1) : 0;
    if (isnan(number_of(printed))) snprintf(text, CELL_SIZE, "%s", ic_number_short(value, DIGITS).text);
    else /* no -0 */
        snprintf(text, CELL_SIZE, "%.*f", decimals + MORE_DECIMALS, value + 0.0 == 0 ? 0.0 : value);
}

static double error_of(const json_t *row, const cell *c, double ours)
{
    const json_t *error = json_object_get(row, "error");
    if (standing_of(row) != MISPRINT && json_is_number(error))
        return fabs(c->factor * json_number_value(error));
    return fabs(ours - number_of(c->printed));
}

/* One number judged by one or several rows: all must hold. */
static void add_number(finding *f, const json_t *row, const cell *c)
{
    const standing s = standing_of(row);
    if (s > f->standing) f->standing = s;
    if (f->row != NULL) return;
    const char *measured = ic_report_text(row, "measured");
    const double ours = c->factor * number_of(measured);
    f->row = row;
    if (measured[0] == '\0' || isnan(ours)) return;
    f->deviation = error_of(row, c, ours);
    if (c->printed[0] != '=') write_number(f->ours, c->printed, ours);
    else
        snprintf(f->ours, sizeof f->ours, s == HOLDS ? "to %s" : "off by %s",
                 ic_number_short(ours, FEW_DIGITS).text);
}

/* "F_f >0, velocity C0 (printed C1)": the entry of one name. A row that does not hold leaves
   entries that do. */
static void add_entry(finding *f, const json_t *row, const cell *c)
{
    char entry[CELL_SIZE];
    const char *at = strstr(ic_report_text(row, "detail"), c->entry);
    if (at == NULL || standing_of(row) == NOT_JUDGED) return;
    snprintf(entry, sizeof entry, "%.*s", (int)strcspn(at + strlen(c->entry) + 1, ",("),
             at + strlen(c->entry) + 1);
    for (size_t n = strlen(entry); n > 0 && entry[n - 1] == ' ';) entry[--n] = '\0';
    const bool holds = strcmp(entry, c->printed) == 0;
    const standing s = holds ? HOLDS : standing_of(row);
    if (s > f->standing) f->standing = s;
    if (f->row == NULL) {
        f->row = row;
        snprintf(f->ours, sizeof f->ours, "%s", entry);
    }
    if (holds) return;
    snprintf(f->other, sizeof f->other, "%.32s in %.128s", entry, ic_report_text(row, "subject"));
    f->row = row;
}

static finding judge_cell(const tables *t, const cell *c)
{
    finding f = {.deviation = NAN};
    for (size_t i = 0; i < json_array_size(ic_web_rows(t->web)); i++) {
        const json_t *row = json_array_get(ic_web_rows(t->web), i);
        if (!ic_row_of_case(row, t->page) || !ic_text_is_of(ic_report_text(row, "what"), c->row)) continue;
        if (c->entry[0] != '\0') add_entry(&f, row, c);
        else add_number(&f, row, c);
    }
    return f;
}

/* ---- cells as they are shown */

static void write_printed(FILE *out, const char *printed)
{
    const char *wrong;
    if (printed[0] == '=') ic_formula_write(out, printed + 1, &wrong);
    else {
        fputs("<b>", out);
        ic_page_symbols(out, printed);
        fputs("</b>", out);
    }
}

static void write_why(FILE *out, const char *before, const char *text)
{
    fprintf(out, "<span class=\"why\">%s", before);
    ic_page_symbols(out, text);
    fputs("</span>", out);
}

static void write_finding(FILE *out, const finding *f)
{
    static const char *const signs[STANDINGS] = {"–", "✓", "≠", "✗"}, *const looks[STANDINGS] = {
                                                                          "none", "pass", "erratum", "fail"};
    const char *what = ic_report_text(f->row, "what"), *should = strstr(what, "should be ");
    fprintf(out, "<span class=\"ours %s\">%s ", looks[f->standing], signs[f->standing]);
    ic_page_symbols(out, f->ours);
    fputs("</span>", out);
    if (!isnan(f->deviation))
        IC_HTML(out, " <span class=\"delta\">Δ %</span>", ic_number_short(f->deviation, FEW_DIGITS).text);
    if (f->other[0] != '\0') write_why(out, "", f->other);
    else if (f->standing == MISPRINT && should != NULL)
        write_why(out, "should be: ", should + strlen("should be "));
    else if (f->standing == FAILS) write_why(out, "", ic_report_text(f->row, "detail"));
}

static void write_cell(tables *t, const char *label, const char *text)
{
    const cell c = read_cell(text);
    const finding f = judge_cell(t, &c);
    t->count[f.standing]++;
    IC_HTML(t->out, "<td data-l=\"%\"", label);
    if (f.row != NULL)
        IC_HTML(t->out, " title=\"impactcheck verify '%' --solver %\"", ic_report_text(f.row, "subject"),
                ic_report_text(f.row, "solver"));
    fputs("><div>", t->out);
    write_printed(t->out, c.printed);
    if (f.row != NULL) write_finding(t->out, &f);
    fputs("</div></td>", t->out);
}

static void write_row(tables *t, char *line)
{
    char head[IC_LINE_SIZE];
    const char *cells[IC_LINE_FIELDS], *labels[IC_LINE_FIELDS];
    snprintf(head, sizeof head, "%s", t->head);
    const size_t n = ic_line_fields(line, cells);
    ic_line_fields(head, labels);
    fputs("<tr><th scope=\"row\">", t->out);
    ic_page_symbols(t->out, cells[0]);
    fputs("</th>", t->out);
    for (size_t i = 1; i < n; i++) write_cell(t, labels[i], cells[i]);
    fputs("</tr>\n", t->out);
}

static void write_head(tables *t, const char *line)
{
    char head[IC_LINE_SIZE];
    const char *labels[IC_LINE_FIELDS];
    snprintf(t->head, sizeof t->head, "%s", line);
    snprintf(head, sizeof head, "%s", line);
    const size_t n = ic_line_fields(head, labels);
    fputs("</caption>\n<thead><tr>", t->out);
    for (size_t i = 0; i < n; i++) IC_HTML(t->out, "<th scope=\"col\">%</th>", labels[i]);
    fputs("</tr></thead>\n<tbody>\n", t->out);
}

/* ---- tables */

static void write_command(const tables *t)
{
    char command[160];
    snprintf(command, sizeof command, "verify '%.100s*'", t->page);
    ic_page_command(t->out, command);
}

/* Cells that are judged name the command; a table without any says it below. */
static void end_table(tables *t)
{
    if (!t->open) return;
    const size_t judged = t->count[HOLDS] + t->count[MISPRINT] + t->count[FAILS];
    fprintf(t->out, "</tbody>\n</table>\n<p class=\"sum%s\">%s %zu of %zu cells that are judged are as printed",
            t->count[FAILS] > 0 ? " fail" : "", t->count[FAILS] > 0 ? "✗" : "✓", t->count[HOLDS], judged);
    if (t->count[MISPRINT] > 0) fprintf(t->out, "; ≠ %zu do not hold", t->count[MISPRINT]);
    if (t->count[FAILS] > 0) fprintf(t->out, "; ✗ %zu wrong", t->count[FAILS]);
    if (t->count[NOT_JUDGED] > 0) fprintf(t->out, "; %zu without a value of ours", t->count[NOT_JUDGED]);
    fputs(".</p>\n", t->out);
    if (judged == 0) write_command(t);
    t->open = false;
}

static void begin_table(tables *t, const char *id, const char *title)
{
    if (!t->any)
        fputs("<h2 id=\"tables\">The paper’s tables, with ours</h2>\n"
              "<p>In each cell: as printed; then our value and by how much (Δ) it differs. "
              "✓ the same at the printed precision, or within the bounds in the table’s note; "
              "≠ it does not hold, with the evidence among the errata; ✗ a check that fails.</p>\n",
              t->out);
    IC_HTML(t->out, "<table class=\"printed\" id=\"%\">\n<caption>%", id, title);
    t->any = t->open = true;
    memset(t->count, 0, sizeof t->count);
}

void ic_page_tables(ic_web *web, const char *page, FILE *out)
{
    char line[IC_LINE_SIZE], id[64] = "";
    const char *at = ic_report_embedded("tables.txt");
    tables t = {.web = web, .out = out, .page = page};
    bool mine = false;
    while (at != NULL && ic_next_line(&at, line)) {
        if (line[0] == '[') {
            end_table(&t);
            snprintf(id, sizeof id, "%.*s", (int)strcspn(line + 1, "]"), line + 1);
            continue;
        }
        char *value = (char *)cut_at(line, " = ");
        if (strcmp(line, "page") == 0) mine = strcmp(value, page) == 0;
        if (!mine) continue;
        if (strcmp(line, "title") == 0) begin_table(&t, id, value);
        if (strcmp(line, "note") == 0) write_why(out, "", value);
        if (strcmp(line, "head") == 0) write_head(&t, value);
        if (strcmp(line, "row") == 0) write_row(&t, value);
    }
    end_table(&t);
    if (t.any) write_command(&t);
}
