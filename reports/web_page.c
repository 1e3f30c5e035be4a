/* SPDX-License-Identifier: MIT */
/* Parts of all pages: head, navigation, foot, and tables. */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/result_columns.h"
#include "reports/web_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { FEW_CHAPTERS = 3 /* below which a page needs no list of them */, LONGEST_PART = 2048 };

static const struct {
    const char *chapter, *file, *title;
} chapters[] = {{"index.html", "index.html", "Verdict"},       {"case", "index.html#cases", "Cases"},
                {"solver", "index.html#solvers", "Solvers"},   {"presets.html", "presets.html", "Presets"},
                {"audits.html", "audits.html", "Audits"},      {"engines.html", "engines.html", "Engines"},
                {"costs.html", "costs.html", "Costs"},         {"studies.html", "studies.html", "Studies"},
                {"results.html", "results.html", "Provenance"}};

void ic_page_begin(ic_web *web, const ic_page *page, FILE *out)
{
    IC_HTML(out,
            "<!DOCTYPE html>\n"
            "<html lang=\"en\">\n"
            "<head>\n"
            "<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<title>% – Impactcheck</title>\n"
            "<meta name=\"impactcheck-report\" content=\"%\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n"
            "<link rel=\"stylesheet\" href=\"report.css\">\n"
            "<script src=\"report.js\" defer></script>\n"
            "<script src=\"figures.js\" defer></script>\n"
            "</head>\n"
            "<body>\n"
            "<header>\n"
            "<nav aria-label=\"Chapters\">\n",
            page->title, web->subject);
    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++) {
        char file[IC_WEB_AUDIT];
        snprintf(file, sizeof file, "%.*s", (int)strcspn(chapters[i].file, "#"), chapters[i].file);
        const bool list = strcmp(file, chapters[i].file) != 0;
        if (!ic_page_exists(web, file) || (list && web->subject[0] != '\0')) continue;
        const bool here = strcmp(chapters[i].chapter, page->chapter) == 0;
        fprintf(out, "<a href=\"%s\"%s>%s</a>\n", chapters[i].file, here ? " aria-current=\"true\"" : "",
                chapters[i].title);
    }
    fputs("</nav>\n</header>\n<main>\n", out);
}

/*
 * Calls a function for each chapter of a page, <h2 id="ID">TITLE</h2>. Returns the first chapter;
 * NULL if the page has none.
 */
static const char *each_chapter(const char *body, void (*write)(FILE *, const char *, int, const char *, int),
                                FILE *out, size_t *count)
{
    static const char begin[] = "<h2 id=\"";
    const char *first = NULL;
    *count = 0;
    for (const char *at = body; (at = strstr(at, begin)) != NULL;) {
        if (first == NULL) first = at;
        at += strlen(begin);
        const char *title = strchr(at, '>');
        if (title == NULL) break;
        if (write != NULL)
            write(out, at, (int)strcspn(at, "\""), title + 1, (int)(strstr(title, "</h2>") - title) - 1);
        (*count)++;
    }
    return first;
}

static void write_chapter(FILE *out, const char *id, int id_length, const char *title, int title_length)
{
    fprintf(out, "<a href=\"#%.*s\">%.*s</a>\n", id_length, id, title_length, title);
}

void ic_page_with_contents(FILE *out, const char *body)
{
    size_t count;
    const char *first = each_chapter(body, NULL, out, &count);
    if (count < FEW_CHAPTERS) {
        fputs(body, out);
        return;
    }
    fwrite(body, 1, (size_t)(first - body), out);
    fputs("<nav class=\"contents\" aria-label=\"On this page\">\n", out);
    each_chapter(body, write_chapter, out, &count);
    fputs("</nav>\n", out);
    fputs(first, out);
}

void ic_page_end(ic_web *web, FILE *out)
{
    const json_t *machine = json_object_get(ic_web_json(web, "verify.json"), "machine");
    fputs("</main>\n<footer>\n<p>Impactcheck", out);
    if (machine != NULL) {
        IC_HTML(out, " %, commit %, %", ic_report_text(machine, "version"), ic_report_text(machine, "commit"),
                ic_report_text(machine, "compiler"));
    }
    fputs(". Every number names the command that reproduces it: point at it, or press it.</p>\n"
          "</footer>\n"
          "</body>\n"
          "</html>\n",
          out);
}

bool ic_page_exists(const ic_web *web, const char *file)
{
    for (size_t i = 0; i < web->n_pages; i++) {
        if (strcmp(web->pages[i].file, file) == 0) return true;
    }
    return false;
}

void ic_page_name(const ic_web *web, FILE *out, const char *kind, const char *name)
{
    const ic_link link = ic_page_link(kind, name);
    if (ic_page_exists(web, link.text)) IC_HTML(out, "<a href=\"%\">%</a>", link.text, name);
    else IC_HTML(out, "%", name);
}

void ic_page_command(FILE *out, const char *command)
{
    IC_HTML(out, "<p class=\"command\"><code>impactcheck %</code></p>\n", command);
}

/* Letters, digits, and bytes of characters beyond ASCII. */
static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

void ic_page_symbols(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0';) {
        const bool index = *at == '_' && at > text && is_letter(at[-1]) && is_letter(at[1]);
        size_t n = 1;
        if (index) {
            while (is_letter(at[1 + n])) n++;
        } else {
            while (at[n] != '\0' && at[n] != '_') n++;
        }
        char part[LONGEST_PART];
        snprintf(part, sizeof part, "%.*s", (int)n, index ? at + 1 : at);
        IC_HTML(out, index ? "<sub>%</sub>" : "%", part);
        at += n + index;
    }
}

void ic_page_missing(ic_web *web, FILE *out, const char *file)
{
    if (web->subject[0] != '\0') return;
    const ic_recipe recipe = ic_web_recipe(web, file);
    const char *slash = strchr(file, '/');
    char folder[64] = "";
    if (slash != NULL) snprintf(folder, sizeof folder, "mkdir -p %.*s && ", (int)(slash - file), file);
    IC_HTML(out,
            "<p class=\"missing\">No results: <code>%</code> is missing or damaged. "
            "In the folder of results, it is made by ",
            file);
    if (recipe.text[0] != '\0') IC_HTML(out, "<code>%impactcheck %</code>, and all by ", folder, recipe.text);
    fputs("<code>./run report</code>.</p>\n", out);
}

void ic_page_verdict(FILE *out, const char *verdict)
{
    const bool pass = strcmp(verdict, "pass") == 0, erratum = strcmp(verdict, "erratum") == 0;
    const bool fail = strcmp(verdict, "FAIL") == 0 || strcmp(verdict, "fail") == 0;
    IC_HTML(out, "<td class=\"verdict %\" data-l=\"verdict\">",
            pass      ? "pass"
            : fail    ? "fail"
            : erratum ? "erratum"
                      : "none");
    fputs(pass ? "✓ " : fail ? "✗ " : erratum ? "≠ " : "– ", out);
    IC_HTML(out, "%</td>", verdict);
}

void ic_page_cell(FILE *out, const char *label, const char *text)
{
    IC_HTML(out, "<td data-l=\"%\">%</td>", label, text);
}

void ic_page_number(FILE *out, const char *label, double value)
{
    if (isnan(value)) {
        IC_HTML(out, "<td class=\"n\" data-l=\"%\"></td>", label);
        return;
    }
    IC_HTML(out, "<td class=\"n\" data-l=\"%\" data-v=\"%\">%</td>", label, ic_number_exact(value).text,
            ic_number_short(value, 3).text);
}

double ic_page_number_of(const json_t *item, const char *key)
{
    const json_t *value = json_object_get(item, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

size_t ic_page_count(const json_t *array, const char *key, const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(array); i++)
        count += ic_text_is(json_array_get(array, i), key, text);
    return count;
}

/* "#slope=shown": a column's title and its member. */
typedef struct page_column {
    char title[64], key[64];
    bool number;
} page_column;

/* false: a further column does not exist. */
static bool next_column(const char **at, page_column *c)
{
    if (**at == '\0') return false;
    const size_t length = strcspn(*at, "|");
    c->number = **at == '#';
    snprintf(c->title, sizeof c->title, "%.*s", (int)length - c->number, *at + c->number);
    *at += length + ((*at)[length] == '|');
    char *equals = strchr(c->title, '=');
    if (equals != NULL) *equals = '\0';
    snprintf(c->key, sizeof c->key, "%s", equals != NULL ? equals + 1 : c->title);
    return true;
}

void ic_page_table(FILE *out, const char *classes, const char *caption, const char *columns)
{
    IC_HTML(out, "<table class=\"%\">\n", classes);
    if (caption != NULL) IC_HTML(out, "<caption>%</caption>\n", caption);
    fputs("<thead><tr>", out);
    for (page_column c; next_column(&columns, &c);)
        IC_HTML(out, c.number ? "<th class=\"n\">%</th>" : "<th>%</th>", c.title);
    fputs("</tr></thead>\n<tbody>\n", out);
}

void ic_page_cells(FILE *out, const json_t *item, const char *columns)
{
    for (page_column c; next_column(&columns, &c);) {
        if (strcmp(c.title, "verdict") == 0) ic_page_verdict(out, ic_report_text(item, c.key));
        else if (c.number) ic_page_number(out, c.title, ic_page_number_of(item, c.key));
        else ic_page_cell(out, c.title, ic_report_text(item, c.key));
    }
}

void ic_page_table_end(FILE *out, const char *command)
{
    fputs("</tbody>\n</table>\n", out);
    if (command != NULL) ic_page_command(out, command);
}

/* The comparison; if it does not pass, the reason and the command that repeats it. */
static void write_what(FILE *out, const json_t *row)
{
    const char *solver = ic_report_text(row, "solver");
    IC_HTML(out, "<td data-l=\"what\">%", ic_report_text(row, "what"));
    if (!ic_text_is(row, "verdict", "pass"))
        IC_HTML(out, "<span class=\"why\">%</span>", ic_report_text(row, "detail"));
    if (ic_report_failed(row)) IC_HTML(out, "<code class=\"why\">impactcheck verify '%'", ic_row_operand(row));
    if (ic_report_failed(row)) IC_HTML(out, solver[0] != '\0' ? " --solver %</code>" : "%</code>", solver);
    fputs("</td>", out);
}

/*
 * A failure without a number, such as a broken promise, is marked, because an empty cell would look
 * like a fault of the page.
 */
static void write_number(FILE *out, const json_t *row, const char *title, double value)
{
    if (!isnan(value) || !ic_report_failed(row)) ic_page_number(out, title, value);
    else IC_HTML(out, "<td class=\"n\" data-l=\"%\" title=\"no comparison of numbers\">none</td>", title);
}

static void write_column(FILE *out, const json_t *row, int i)
{
    const ic_result_column *column = &ic_result_columns[i];
    const char *text = ic_report_text(row, column->name);
    if (i == IC_RESULT_what) write_what(out, row);
    else if (column->type == IC_COLUMN_NUMBER)
        write_number(out, row, column->title, ic_page_number_of(row, column->name));
    else ic_page_cell(out, column->title, i == IC_RESULT_unit && strcmp(text, "1") == 0 ? "" : text);
}

static void write_row(FILE *out, const json_t *row)
{
    const char *solver = ic_report_text(row, "solver");
    IC_HTML(out, "<tr title=\"impactcheck verify '%'", ic_row_operand(row));
    if (solver[0] != '\0') IC_HTML(out, " --solver %", solver);
    fputs("\">", out);
    ic_page_verdict(out, ic_report_text(row, "verdict"));
    for (int i = -1; (i = ic_result_column_after(i, IC_IN_PAGES)) < IC_RESULT_COLUMNS;)
        write_column(out, row, i);
    write_number(out, row, "share", ic_row_share(row));
    fputs("</tr>\n", out);
}

static void write_head_of_rows(FILE *out, const char *caption)
{
    IC_HTML(out, "<table class=\"stack sort filter\">\n<caption>%</caption>\n<thead><tr><th>verdict</th>",
            caption);
    for (int i = -1; (i = ic_result_column_after(i, IC_IN_PAGES)) < IC_RESULT_COLUMNS;) {
        const ic_result_column *column = &ic_result_columns[i];
        IC_HTML(out, column->type == IC_COLUMN_NUMBER ? "<th class=\"n\">%</th>" : "<th>%</th>", column->title);
    }
    fputs("<th class=\"n\" title=\"(error + radius)/tolerance\">share</th></tr></thead>\n<tbody>\n", out);
}

size_t ic_page_rows(FILE *out, const json_t *rows, const char *caption, ic_row_filter *wanted,
                    const void *context)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!wanted(row, context)) continue;
        if (count++ == 0) write_head_of_rows(out, caption);
        write_row(out, row);
    }
    if (count > 0) ic_page_table_end(out, "verify SUBJECT --solver SOLVER, with those of the row");
    return count;
}
