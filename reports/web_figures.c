/* SPDX-License-Identifier: MIT */
/* Figures as reports/text/figures.txt describes them, with the published statements below them. */
#include "reports/columns.h"
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/plot.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = IC_PLOT_SERIES, MOST_FILES = 8, FIELD_SIZE = IC_FIGURE_FIELD };

/* One block of the file: texts as they stand there. */
typedef struct figure {
    char id[64], page[64], title[FIELD_SIZE], note[FIELD_SIZE], claims[FIELD_SIZE];
    char x[FIELD_SIZE], y[FIELD_SIZE], x_range[64];
    char curves[MOST_CURVES][FIELD_SIZE];
    size_t n_curves;
} figure;

/* ---- reading */

size_t ic_figure_curves(const char *line, char (*curves)[IC_FIGURE_FIELD], size_t most)
{
    static const char one[] = "curve = ", many[] = "curves = ";
    const char *word = line + strlen(many), *pattern = strchr(line, '|');
    size_t n = 0;
    if (strncmp(line, one, strlen(one)) == 0 && most > 0)
        snprintf(curves[n++], sizeof *curves, "%s", line + strlen(one));
    if (strncmp(line, many, strlen(many)) != 0) return n;
    for (; word < pattern && n < most; n++) {
        const int length = (int)strcspn(word, ", |");
        size_t used = 0;
        for (const char *c = pattern + 1; *c != '\0' && used < sizeof *curves; c++)
            used += (size_t)snprintf(curves[n] + used, sizeof *curves - used, "%.*s", *c == '*' ? length : 1,
                                     *c == '*' ? word : c);
        word += length;
        word += strspn(word, ", ");
    }
    return n;
}

static void set_member(figure *f, const char *key, const char *value)
{
    const struct {
        const char *key;
        char *text;
        size_t size;
    } members[] = {{"page", f->page, sizeof f->page},
                   {"title", f->title, sizeof f->title},
                   {"note", f->note, sizeof f->note},
                   {"claims", f->claims, sizeof f->claims},
                   {"x", f->x, sizeof f->x},
                   {"y", f->y, sizeof f->y},
                   {"x-range", f->x_range, sizeof f->x_range}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (strcmp(members[i].key, key) == 0) snprintf(members[i].text, members[i].size, "%s", value);
    }
}

/* The next block: false at the end. */
static bool next_figure(const char **at, figure *f)
{
    char line[IC_LINE_SIZE];
    *f = (figure){.x = "t | time t / s"};
    for (const char *here = *at; ic_next_line(&here, line); *at = here) {
        if (line[0] == '[') {
            if (f->id[0] != '\0') return true;
            snprintf(f->id, sizeof f->id, "%.*s", (int)strcspn(line + 1, "]"), line + 1);
            continue;
        }
        f->n_curves += ic_figure_curves(line, f->curves + f->n_curves, MOST_CURVES - f->n_curves);
        char *equals = strstr(line, " = ");
        if (equals == NULL) continue;
        *equals = '\0';
        set_member(f, line, equals + 3);
    }
    return f->id[0] != '\0';
}

/* ---- drawing */

/* Files that have been read; several curves may use one file. */
typedef struct shelf {
    char names[MOST_FILES][FIELD_SIZE];
    ic_columns tables[MOST_FILES];
    size_t n;
} shelf;

static const ic_columns *table_named(ic_web *web, shelf *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->names[i], name) == 0) return &s->tables[i];
    }
    if (s->n == MOST_FILES || !ic_web_columns(web, name, &s->tables[s->n])) return NULL;
    snprintf(s->names[s->n], FIELD_SIZE, "%s", name);
    return &s->tables[s->n++];
}

/* "specimen=C1 v0=0.15": numbers are compared as numbers. */
static bool row_is(const ic_columns *table, size_t row, const char *conditions)
{
    char name[64], value[64];
    int length = 0;
    for (const char *at = conditions; sscanf(at, " %63[^=]=%63s%n", name, value, &length) == 2; at += length) {
        const int column = ic_columns_find(table, name);
        char *end;
        const double wanted = strtod(value, &end), there = ic_columns_number(table, row, column);
        const bool same = *end == '\0' && !isnan(there)
                              ? there == wanted
                              : strcmp(ic_columns_text(table, row, column), value) == 0;
        if (!same) return false;
    }
    return true;
}

static ic_plot_style style_named(const char *name)
{
    if (strcmp(name, "marks") == 0) return IC_PLOT_MARKS;
    if (strcmp(name, "both") == 0) return IC_PLOT_LINE_MARKS;
    if (strcmp(name, "dots") == 0) return IC_PLOT_DOTS;
    return IC_PLOT_LINE;
}

static double factor_of(const char *text)
{
    return text[0] == '\0' ? 1 : strtod(text, NULL);
}

typedef struct drawing {
    ic_plot plot;
    const char *x_column;
    double x_factor;
} drawing;

/* false: the file is missing, or lacks a column. */
static bool draw_curve(drawing *d, const ic_columns *table, const char *const fields[IC_LINE_FIELDS], int look)
{
    const int x = table != NULL ? ic_columns_find(table, d->x_column) : -1,
              y = table != NULL ? ic_columns_find(table, fields[2]) : -1;
    if (x < 0 || y < 0) return false;
    ic_plot_series *series = ic_plot_add(&d->plot, fields[0], style_named(fields[4]), look);
    const double factor = factor_of(fields[3]);
    for (size_t row = 0; row < table->n_rows; row++) {
        if (!row_is(table, row, fields[5])) continue;
        ic_plot_point(&d->plot, series, d->x_factor * ic_columns_number(table, row, x),
                      factor * ic_columns_number(table, row, y));
    }
    return true;
}

static void write_statement(FILE *out, const json_t *row)
{
    const char *what = ic_report_text(row, "what"), *colon = strstr(what, ": ");
    const bool holds = ic_text_is(row, "verdict", "pass");
    IC_HTML(out, "<li title=\"impactcheck verify '%' --solver %\" class=\"%\">", ic_report_text(row, "subject"),
            ic_report_text(row, "solver"), holds ? "pass" : "fail");
    IC_HTML(out, holds ? "<b>✓</b> %" : "<b>✗</b> %", colon != NULL ? colon + 2 : what);
    const char *published = ic_report_text(row, "published"), *expected = ic_report_text(row, "expected");
    const bool printed = published[0] != '\0';
    IC_HTML(out, " <span class=\"place\">%</span>", ic_report_text(row, "place"));
    if (!printed && expected[0] != '\0' && strchr("<>=!", expected[0]) == NULL) {
        const ic_number_text measured = ic_number_short(strtod(ic_report_text(row, "measured"), NULL), 6);
        IC_HTML(out, " <span class=\"n\">%, % expected (ours)</span>", measured.text, expected);
    } else if (printed) {
        const ic_number_text measured = ic_number_short(strtod(ic_report_text(row, "measured"), NULL), 6);
        IC_HTML(out, " <span class=\"n\">% published, % ours</span>", published, measured.text);
    }
    fputs("</li>\n", out);
}

static bool is_claim_of(const json_t *row, const char *prefixes)
{
    char prefix[64];
    int length = 0;
    if (!ic_text_is(row, "check", "published")) return false;
    for (const char *at = prefixes; sscanf(at, " %63s%n", prefix, &length) == 1; at += length) {
        if (ic_text_is_of(ic_report_text(row, "what"), prefix)) return true;
    }
    return false;
}

/*
 * "12 of the paper hold, 3 found since": statements of the paper and later findings are counted
 * separately.
 */
static void write_summary(FILE *out, size_t count, size_t held, size_t since)
{
    const bool all = held == count;
    fprintf(out, "<details%s><summary>%s %zu of %zu statements %s", all ? "" : " open", all ? "✓" : "✗",
            all ? held : count - held, count, all ? "hold" : "do not hold");
    if (since > 0 && since < count) fprintf(out, ": %zu of the paper, %zu found since", count - since, since);
    else fputs(since == 0 ? ", all of the paper" : ", all found since", out);
    fputs("</summary>\n<ul class=\"claims\">\n", out);
}

static void write_statements(ic_web *web, FILE *out, const figure *f)
{
    size_t count = 0, held = 0, since = 0;
    for (size_t i = 0; i < json_array_size(ic_web_rows(web)); i++) {
        const json_t *row = json_array_get(ic_web_rows(web), i);
        if (!ic_row_of_case(row, f->page) || !is_claim_of(row, f->claims)) continue;
        count++;
        held += ic_text_is(row, "verdict", "pass");
        since += ic_text_is(row, "place", "not in the paper");
    }
    if (count == 0) return;
    write_summary(out, count, held, since);
    for (size_t i = 0; i < json_array_size(ic_web_rows(web)); i++) {
        const json_t *row = json_array_get(ic_web_rows(web), i);
        if (ic_row_of_case(row, f->page) && is_claim_of(row, f->claims)) write_statement(out, row);
    }
    fputs("</ul></details>\n", out);
}

/* A range beyond the first curve's: "FROM TO". */
static void set_range(ic_plot_axis *axis, const char *range)
{
    axis->from = axis->to = NAN;
    if (range[0] != '\0') sscanf(range, "%lf %lf", &axis->from, &axis->to);
}

static void commands_of(const ic_web *web, FILE *out, const figure *f)
{
    char said[FIELD_SIZE] = "", line[FIELD_SIZE];
    const char *fields[IC_LINE_FIELDS];
    fputs("<details class=\"commands\"><summary>Commands</summary>\n", out);
    for (size_t i = 0; i < f->n_curves; i++) {
        snprintf(line, sizeof line, "%s", f->curves[i]);
        ic_line_fields(line, fields);
        if (strcmp(said, fields[1]) != 0) ic_page_command(out, ic_web_recipe(web, fields[1]).text);
        snprintf(said, sizeof said, "%s", fields[1]);
    }
    fputs("</details>\n", out);
}

static void write_figure(ic_web *web, FILE *out, const figure *f)
{
    char x[FIELD_SIZE], y[FIELD_SIZE], line[FIELD_SIZE], absent[FIELD_SIZE] = "";
    const char *x_fields[IC_LINE_FIELDS], *y_fields[IC_LINE_FIELDS], *fields[IC_LINE_FIELDS];
    char labels[MOST_CURVES][FIELD_SIZE];
    shelf s = {.n = 0};
    drawing d = {.plot = {.title = f->title}};
    snprintf(x, sizeof x, "%s", f->x);
    snprintf(y, sizeof y, "%s", f->y);
    ic_line_fields(x, x_fields);
    ic_line_fields(y, y_fields);
    d.x_column = x_fields[0];
    d.x_factor = factor_of(x_fields[2]);
    d.plot.x = (ic_plot_axis){.label = x_fields[1], .log = strcmp(x_fields[3], "log") == 0};
    d.plot.y = (ic_plot_axis){.label = y_fields[0], .log = strcmp(y_fields[1], "log") == 0};
    set_range(&d.plot.x, f->x_range);
    set_range(&d.plot.y, "");
    for (size_t i = 0; i < f->n_curves; i++) {
        snprintf(line, sizeof line, "%s", f->curves[i]);
        ic_line_fields(line, fields);
        snprintf(labels[i], FIELD_SIZE, "%s", f->n_curves > 1 ? fields[0] : "");
        if (!draw_curve(
                &d, table_named(web, &s, fields[1]),
                (const char *[]){labels[i], "", fields[2], fields[3], fields[4], fields[5], "", "", "", ""},
                (int)i)) {
            snprintf(absent, sizeof absent, "%s", fields[1]);
        }
    }
    IC_HTML(out, "<figure id=\"%\">\n<figcaption><b>%.</b> %</figcaption>\n", f->id, f->title, f->note);
    if (ic_plot_has_data(&d.plot)) ic_plot_write(&d.plot, out);
    if (absent[0] != '\0') ic_page_missing(web, out, absent);
    else commands_of(web, out, f);
    if (f->claims[0] != '\0') write_statements(web, out, f);
    fputs("</figure>\n", out);
    ic_plot_free(&d.plot);
    for (size_t i = 0; i < s.n; i++) ic_columns_free(&s.tables[i]);
}

static bool is_drawn_of(const figure *f, const char *file)
{
    char line[FIELD_SIZE];
    const char *fields[IC_LINE_FIELDS];
    for (size_t i = 0; i < f->n_curves; i++) {
        snprintf(line, sizeof line, "%s", f->curves[i]);
        ic_line_fields(line, fields);
        if (strcmp(fields[1], file) == 0) return true;
    }
    return false;
}

void ic_page_figures_of(FILE *out, const char *file)
{
    const char *at = ic_report_embedded("figures.txt");
    size_t n = 0;
    for (figure f; at != NULL && next_figure(&at, &f);) {
        if (!is_drawn_of(&f, file)) continue;
        fputs(n++ == 0 ? "<p class=\"drawn\">Drawn: " : "; ", out);
        const char *page = strcmp(f.page, "studies") == 0 ? "studies.html" : ic_page_link("case", f.page).text;
        IC_HTML(out, "<a href=\"%#%\">%</a>", page, f.id, f.title);
    }
    if (n > 0) fputs(".</p>\n", out);
}

bool ic_page_has_figures(const char *page)
{
    const char *at = ic_report_embedded("figures.txt");
    for (figure f; at != NULL && next_figure(&at, &f);) {
        if (strcmp(f.page, page) == 0) return true;
    }
    return false;
}

void ic_page_figures(ic_web *web, const char *page, FILE *out)
{
    const char *at = ic_report_embedded("figures.txt");
    bool any = false;
    for (figure f; at != NULL && next_figure(&at, &f);) {
        if (strcmp(f.page, page) != 0) continue;
        if (!any) fputs("<h2 id=\"figures\">Figures</h2>\n<div class=\"figures\">\n", out);
        any = true;
        write_figure(web, out, &f);
    }
    if (any) fputs("</div>\n", out);
}
