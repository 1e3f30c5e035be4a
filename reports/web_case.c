/* SPDX-License-Identifier: MIT */
/* The page of a case: equations, parameters, presets, figures, published statements, errata,
   certified digits, all rows. */
#include "reports/formula.h"
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/reports.h"
#include "reports/sketch.h"
#include "reports/web_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 6 /* of our values in tables of published ones */,
    MOST_ROWS = 10 /* of certified events, the first and the last */
};

/* The equations of reports/text/NAME.txt, in the words of the paper. false: there is no such file. */
static bool write_paper(FILE *out, const char *name)
{
    char file[128], line[IC_LINE_SIZE];
    const char *wrong;
    snprintf(file, sizeof file, "%s.txt", name);
    const char *at = ic_report_embedded(file);
    const bool exists = at != NULL;
    while (at != NULL && ic_next_line(&at, line)) {
        if (line[0] == '=') ic_formula_write(out, line + 1, &wrong);
        else IC_HTML(out, "<p>%</p>\n", line);
    }
    return exists;
}

/* The machine at the start of the first preset. */
static void write_sketch(FILE *out, const json_t *about)
{
    const json_t *data = json_object_get(about, "sketch");
    char title[512];
    snprintf(title, sizeof title, "The machine at the start of preset %.300s", ic_report_text(data, "preset"));
    const ic_sketch sketch = {.shapes = json_object_get(data, "shapes"), .title = title};
    if (data == NULL) return;
    fputs("<figure class=\"sketch\">\n", out);
    if (ic_sketch_write(out, &sketch)) IC_HTML(out, "<figcaption>%</figcaption>\n", title);
    fputs("</figure>\n", out);
}

static void write_equations(FILE *out, const json_t *about)
{
    const json_t *text = json_object_get(about, "text");
    const bool own_file = json_object_get(about, "file") != NULL; /* whatever its name is */
    fputs("<h2 id=\"equations\">Equations</h2>\n", out);
    const bool paper = !own_file && write_paper(out, ic_report_text(about, "name"));
    if (text == NULL) {
        if (!paper) ic_page_listed_equations(out, about);
        return;
    }
    if (paper) fputs("<details><summary>All equations, as the case file states them</summary>\n", out);
    ic_page_text_equations(out, text);
    if (paper) fputs("</details>\n", out);
}

/* ---- data of list.json: tables by the names of members */

/* A parameter whose value was written in another unit: "20 mm = 0.02". */
static void write_parameter(FILE *out, const json_t *item, const char *columns)
{
    json_t *shown = json_copy((json_t *)item);
    json_t *both = json_sprintf("%s = %s", ic_report_text(item, "written"), ic_report_text(item, "default"));
    if (shown != NULL && json_object_set_new(shown, "default", both) == 0) ic_page_cells(out, shown, columns);
    else ic_page_cells(out, item, columns);
    json_decref(shown);
}

static void write_listed(FILE *out, const json_t *items, const char *head, const char *columns,
                         const char *command)
{
    if (json_array_size(items) == 0) return;
    fputs(head, out);
    ic_page_table(out, "stack sort", NULL, columns);
    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);
        const char *path = ic_report_text(item, "path"), *operand = ic_report_text(item, "operand");
        if (path[0] != '\0')
            IC_HTML(out, "<tr title=\"impactcheck run '%'\">", operand[0] != '\0' ? operand : path);
        else IC_HTML(out, "<tr title=\"impactcheck %\">", command);
        if (json_object_get(item, "written") != NULL) write_parameter(out, item, columns);
        else ic_page_cells(out, item, columns);
        fputs("</tr>\n", out);
    }
    ic_page_table_end(out, NULL);
}

static void write_definitions(FILE *out, const json_t *about)
{
    static const struct {
        const char *member, *head, *columns;
    } tables[] = {
        {"parameters", "<h2 id=\"Parameters\">Parameters</h2>\n", "name|unit|default|range|meaning"},
        {"presets", "<h2 id=\"Presets\">Presets</h2>\n", "preset=path|variant|settings|until|meaning"},
        {"states", "<h3 id=\"States\">States</h3>\n", "name|unit|meaning"},
        {"outputs", "<h3 id=\"Outputs\">Outputs</h3>\n", "name|unit|meaning"},
        {"variants", "<h3 id=\"Variants\">Variants</h3>\n", "name|meaning"},
    };
    char command[600];
    const char *operand = ic_report_text(about, "operand");
    if (operand[0] == '\0') snprintf(command, sizeof command, "list cases --long");
    else snprintf(command, sizeof command, "list cases '%.500s' --long", operand);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (i == 2) fputs("<details><summary>States, outputs and variants</summary>\n", out);
        write_listed(out, json_object_get(about, tables[i].member), tables[i].head, tables[i].columns, command);
    }
    fputs("</details>\n", out);
    ic_page_command(out, command);
}

/* ---- contact-force laws */

/* Laws that are variants of the case. */
static void write_laws(ic_web *web, FILE *out, const json_t *about)
{
    size_t count = 0;
    const json_t *laws = json_object_get(ic_web_json(web, "list.json"), "laws");
    for (size_t i = 0; i < json_array_size(laws); i++) {
        const json_t *law = json_array_get(laws, i);
        const char *name = ic_report_text(law, "name");
        if (ic_page_count(json_object_get(about, "variants"), "name", name) == 0) continue;
        if (count++ == 0) {
            fputs("<h2 id=\"laws\">Contact-force laws</h2>\n<p>Each is a variant of this case.</p>\n"
                  "<details><summary>Laws and their sources</summary>\n",
                  out);
            ic_page_table(out, "stack sort filter", NULL, "law|force|source");
        }
        IC_HTML(out, "<tr title=\"impactcheck law %\">", name);
        ic_page_cells(out, law, "law=name|force=title");
        IC_HTML(out, "<td data-l=\"source\">%<span class=\"why\">%</span></td></tr>\n",
                ic_report_text(law, "source"), ic_report_text(law, "basis"));
    }
    if (count == 0) return;
    ic_page_table_end(out, NULL);
    fputs("</details>\n", out);
    ic_page_command(out, "law");
}

/* ---- verdicts by solver */

/* Whether an earlier row of a case is of the same solver. */
static bool solver_is_known(const json_t *rows, size_t end, const char *name, const char *solver)
{
    for (size_t i = 0; i < end; i++) {
        const json_t *row = json_array_get(rows, i);
        if (ic_row_of_case(row, name) && ic_text_is(row, "solver", solver)) return true;
    }
    return false;
}

static void write_solvers(ic_web *web, FILE *out, const json_t *about)
{
    const char *name = ic_report_text(about, "name"), *operand = ic_report_text(about, "operand");
    const json_t *rows = ic_web_rows(web);
    size_t checks = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char command[600];
        const char *which = ic_report_text(row, "solver");
        if (which[0] == '\0' || !ic_row_of_case(row, name) || solver_is_known(rows, i, name, which)) continue;
        const ic_tally tally = ic_tally_of(ic_web_rows(web), name, which);
        if (tally.pass + tally.fail == 0) continue;
        if (checks == 0)
            fputs("<table class=\"matrix chips\">\n<caption>Worst error over tolerance, by solver</caption>\n"
                  "<tbody>\n",
                  out);
        checks += tally.pass + tally.fail;
        snprintf(command, sizeof command, "verify '%.400s%s' --solver %.64s",
                 operand[0] != '\0' ? operand : name, operand[0] != '\0' ? "" : "*", which);
        ic_tally_row(web, out, "solver", which, "#rows", command, &tally);
    }
    fputs(checks > 0 ? "</tbody>\n</table>\n" : "<p>Not verified in these results.</p>\n", out);
}

/* ---- published statements, by the place where they stand */

static bool is_published(const json_t *row, const char *name)
{
    return ic_text_is(row, "check", "published") && ic_row_of_case(row, name);
}

static bool place_is_new(const json_t *rows, size_t end, const char *name, const char *place)
{
    for (size_t i = 0; i < end; i++) {
        const json_t *row = json_array_get(rows, i);
        if (is_published(row, name) && ic_text_is(row, "place", place)) return false;
    }
    return true;
}

static void write_published_row(FILE *out, const json_t *row)
{
    const char *what = ic_report_text(row, "what"), *colon = strstr(what, ": "),
               *note = strstr(ic_report_text(row, "detail"), ": "), *measured = ic_report_text(row, "measured");
    char *end;
    const double value = strtod(measured, &end);
    const ic_number_text shown =
        measured[0] != '\0' && *end == '\0' ? ic_number_short(value, DIGITS) : (ic_number_text){""};
    IC_HTML(out, "<tr title=\"impactcheck verify '%' --solver %\">", ic_row_operand(row),
            ic_report_text(row, "solver"));
    IC_HTML(out, "<td data-l=\"statement\">%", colon != NULL ? colon + 2 : what);
    if (note != NULL) IC_HTML(out, "<span class=\"why\">%</span>", note + 2);
    fputs("</td>", out);
    ic_page_cells(out, row, "kind|subject");
    IC_HTML(out,
            "<td class=\"n\" data-l=\"published\">%</td><td class=\"n\" data-l=\"expected (ours)\">%</td>"
            "<td class=\"n\" data-l=\"measured\" data-v=\"%\">%</td>",
            ic_report_text(row, "published"), ic_report_text(row, "expected"), measured, shown.text);
    ic_page_cells(out, row, "#deviation=error");
    ic_page_cell(out, "unit", ic_text_is(row, "unit", "1") ? "" : ic_report_text(row, "unit"));
    ic_page_verdict(out, ic_report_text(row, "verdict"));
    fputs("</tr>\n", out);
}

static void write_place(FILE *out, const json_t *rows, const char *name, const char *place)
{
    size_t i;
    json_t *row;
    ic_page_table(out, "stack sort", place,
                  "statement|kind|subject|#published|#expected (ours)|#measured|#deviation|unit|verdict");
    json_array_foreach(rows, i, row) if (is_published(row, name) && ic_text_is(row, "place", place))
        write_published_row(out, row);
    ic_page_table_end(out, NULL);
}

static void write_published(FILE *out, const json_t *rows, const char *name)
{
    size_t places = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *place = ic_report_text(row, "place");
        if (!is_published(row, name) || !place_is_new(rows, i, name, place)) continue;
        if (places++ == 0) {
            fputs("<h2 id=\"published\">Published statements, and findings of ours</h2>\n"
                  "<p>A published number is compared at its printed precision: "
                  "half a unit of its last digit.</p>\n"
                  "<details><summary>All statements, by their place in the paper</summary>\n",
                  out);
        }
        write_place(out, rows, name, place);
    }
    if (places > 0) {
        ic_page_command(out, "verify SUBJECT --solver SOLVER, with those of the row");
        fputs("</details>\n", out);
    }
}

/* ---- errata */

static bool is_erratum(const json_t *row, const json_t *about)
{
    return ic_text_is(row, "check", "errata") && ic_row_of_case(row, ic_report_text(about, "name"));
}

static bool is_evidence(const json_t *row)
{
    return ic_text_is(row, "kind", "evidence");
}

/* Takes "SOURCE, PLACE: PRINTED; should be RIGHT" apart. */
static void write_passage(FILE *out, const char *what)
{
    static const char turn[] = "; should be ";
    const char *printed = strstr(what, ": "), *right = strstr(what, turn);
    if (printed == NULL || right == NULL || right < printed) {
        IC_HTML(out, "<dt>what</dt><dd>%</dd>\n", what);
        return;
    }
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)(right - printed) - 2, printed + 2);
    IC_HTML(out, "<dt>printed</dt><dd>%</dd>\n<dt>should be</dt><dd>%</dd>\n", text, right + sizeof turn - 1);
}

static void write_evidence(FILE *out, const json_t *row)
{
    IC_HTML(out, "<dd>%", ic_report_text(row, "detail"));
    if (ic_report_failed(row)) fputs(" <span class=\"fail\">✗ the evidence does not hold any more</span>", out);
    fputs("</dd>\n", out);
}

/* An erratum, with the rows of more evidence that follow it. */
static void write_erratum(FILE *out, const json_t *rows, size_t first, const json_t *about)
{
    const json_t *row = json_array_get(rows, first);
    const char *limits = ic_report_text(row, "limits");
    const char *place = ic_report_text(row, "place"), *kind = ic_report_text(row, "kind");
    IC_HTML(out, "<section title=\"impactcheck verify '%*'\">\n<h3>%", ic_report_text(about, "name"), place);
    if (strstr(place, kind) == NULL) IC_HTML(out, ": %", kind);
    fputs("</h3>\n<dl>\n", out);
    write_passage(out, ic_report_text(row, "what"));
    fputs("<dt>why</dt>\n", out);
    write_evidence(out, row);
    for (size_t i = first + 1; i < json_array_size(rows); i++) {
        const json_t *more = json_array_get(rows, i);
        if (!is_erratum(more, about) || !is_evidence(more)) break;
        write_evidence(out, more);
    }
    if (limits[0] != '\0') IC_HTML(out, "<dt>what does not follow</dt><dd>%</dd>\n", limits);
    fputs("</dl>\n</section>\n", out);
}

static void write_errata(FILE *out, const json_t *rows, const json_t *about)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!is_erratum(row, about) || is_evidence(row)) continue;
        if (count++ == 0)
            fputs(
                "<h2 id=\"errata\">Errata</h2>\n"
                "<p>Statements that do not hold as printed or as scanned, with the evidence, which is measured again each time. "
                "Misprints, and text that the scan may have damaged, are derived a second time, symbolically and with separate code, in <code>reference/derivations</code>.</p>\n",
                out);
        write_erratum(out, rows, i, about);
    }
}

/* ---- certified digits */

static void certified_row(FILE *out, const char *what, const char *detail, const char *value,
                          const char *radius)
{
    IC_HTML(
        out,
        "<tr><td data-l=\"quantity\">%</td><td data-l=\"modes\">%</td><td class=\"n\" data-l=\"value\">%</td><td class=\"n\" data-l=\"radius\">± %</td></tr>\n",
        what, detail, value, radius);
}

static void write_certified(ic_web *web, FILE *out, const json_t *about)
{
    char file[192], modes[160];
    const char *name = ic_report_text(about, "name");
    json_t *output;
    const char *key;
    snprintf(file, sizeof file, "certified/%s.json", name);
    const json_t *answer = ic_web_json(web, file);
    if (answer == NULL && web->subject[0] != '\0') return;
    fputs("<h2 id=\"certified\">Certified digits</h2>\n", out);
    if (answer == NULL) {
        if (ic_case_is_linear(about) || ic_web_is_listed(file)) ic_page_missing(web, out, file);
        else
            fputs("<p>This case cannot be certified: its first preset is not affine between events.</p>\n",
                  out);
        return;
    }
    const size_t n_events = json_array_size(json_object_get(answer, "events"));
    const bool proved = ic_text_is(answer, "status", "certified");
    if (!proved)
        IC_HTML(out, "<p>Not certified to the end (%): %.</p>\n", ic_report_text(answer, "status"),
                ic_report_text(answer, "reason"));
    if (!proved && n_events == 0) {
        ic_page_command(out, ic_web_recipe(web, file).text);
        return;
    }
    IC_HTML(
        out,
        "<table class=\"stack\">\n"
        "<caption>%/%, variant %: %</caption>\n"
        "<thead><tr><th>quantity</th><th>modes</th><th class=\"n\">value</th><th class=\"n\">radius</th></tr></thead>\n"
        "<tbody>\n",
        name, ic_report_text(answer, "preset"), ic_report_text(answer, "variant"),
        ic_report_text(answer, "status"));
    for (size_t i = 0; i < json_array_size(json_object_get(answer, "events")); i++) {
        const json_t *event = json_array_get(json_object_get(answer, "events"), i);
        if (n_events > MOST_ROWS && i == MOST_ROWS / 2) {
            char left_out[32];
            snprintf(left_out, sizeof left_out, "%zu", n_events - MOST_ROWS);
            IC_HTML(out, "<tr><td colspan=\"4\">… % more, all in <code>%</code> of the results …</td></tr>\n",
                    left_out, file);
        }
        if (n_events > MOST_ROWS && i >= MOST_ROWS / 2 && i + MOST_ROWS / 2 < n_events) continue;
        snprintf(modes, sizeof modes, "%s → %s", ic_report_text(event, "from"), ic_report_text(event, "to"));
        certified_row(out, ic_report_text(event, "guard"), modes, ic_report_text(event, "t"),
                      ic_report_text(event, "radius"));
    }
    json_object_foreach(json_object_get(answer, "outputs"), key, output)
    {
        const json_t *final = json_object_get(output, "final");
        if (proved && final != NULL && !json_is_null(final))
            certified_row(out, key, "at the end", ic_report_text(final, "value"),
                          ic_report_text(final, "radius"));
    }
    ic_page_table_end(out, ic_web_recipe(web, file).text);
}

static bool of_case(const json_t *row, const void *name)
{
    return ic_row_of_case(row, name) && !ic_text_is(row, "check", "published") &&
           !ic_text_is(row, "check", "errata");
}

static bool fails_in_case(const json_t *row, const void *name)
{
    return ic_row_of_case(row, name) && ic_report_failed(row);
}

static void write_head(FILE *out, const json_t *about)
{
    const char *source = ic_report_text(about, "source");
    IC_HTML(out, "<h1>%</h1>\n<p class=\"lead\">%.", ic_report_text(about, "name"),
            ic_report_text(about, "title"));
    if (source[0] != '\0') IC_HTML(out, " <span class=\"source\">%</span>", source);
    fputs("</p>\n", out);
}

void ic_write_case(ic_web *web, const ic_page *page, FILE *out)
{
    const json_t *rows = ic_web_rows(web);
    const char *name = ic_report_text(page->about, "name");
    const bool own = web->subject[0] != '\0'; /* whatever its name is */
    if (own) {
        ic_page_own_head(web, page, out);
        write_sketch(out, page->about);
    } else {
        write_head(out, page->about);
    }
    if (rows == NULL) ic_page_missing(web, out, "verify.json");
    else ic_page_rows(out, rows, "Failures", fails_in_case, name);
    if (own) ic_page_own_next(web, page, out);
    if (own && rows != NULL) fputs("<h2 id=\"solvers\">Solvers</h2>\n", out);
    if (rows != NULL) write_solvers(web, out, page->about);
    const char *prose = ic_report_text(json_object_get(page->about, "text"), "about");
    if (!own && prose[0] != '\0') IC_HTML(out, "<p>%</p>\n", prose);
    if (!own) write_sketch(out, page->about);
    write_equations(out, page->about);
    ic_page_graphs(out, page->about);
    ic_page_case_figures(web, page->about, out);
    if (!own) ic_page_figures(web, name, out);
    if (own || !ic_page_has_figures(name)) ic_page_state_figures(web, page->about, out);
    if (json_object_get(page->about, "file") == NULL) ic_page_tables(web, name, out);
    write_published(out, rows, name);
    write_errata(out, rows, page->about);
    write_certified(web, out, page->about);
    write_definitions(out, page->about);
    write_laws(web, out, page->about);
    fputs("<h2 id=\"rows\">All checks</h2>\n"
          "<details class=\"long\"><summary>Every comparison with a solver</summary>\n",
          out);
    ic_page_rows(out, rows, "Comparisons", of_case, name);
    fputs("</details>\n", out);
}
