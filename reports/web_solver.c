/* SPDX-License-Identifier: MIT */
/* The page of a solver: its claims, its results, its cost, its failures. */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

static void write_term(FILE *out, const char *name, const char *text)
{
    IC_HTML(out, "<dt>%</dt><dd>%</dd>\n", name, text);
}

/* Clauses of the event contract in impactcheck.h. */
static void write_clauses(FILE *out, const json_t *clauses)
{
    static const char *const names[] = {"direction",
                                        "a guard that is zero at the start",
                                        "disarming",
                                        "simultaneity",
                                        "chains of jumps",
                                        "accumulation",
                                        "two crossings inside one step",
                                        "grazing",
                                        "time events",
                                        "values that are not finite",
                                        "terminal modes"};
    fputs("<dt>clauses of the event contract not kept</dt><dd>", out);
    if (json_array_size(clauses) == 0) fputs("none: it keeps all", out);
    for (size_t i = 0; i < json_array_size(clauses); i++) {
        const json_t *clause = json_array_get(clauses, i);
        const json_int_t number = json_integer_value(clause);
        const bool known = number >= 1 && (size_t)number <= sizeof names / sizeof *names;
        fprintf(out, "%s%d (%s)", i > 0 ? ", " : "", (int)number, known ? names[number - 1] : "?");
    }
    fputs("</dd>\n", out);
}

static void write_claims(FILE *out, const json_t *about)
{
    char text[128] = "";
    const json_int_t order = json_integer_value(json_object_get(about, "order"));
    snprintf(text, sizeof text, order > 0 ? "%d" : "none: its error is rounding, or set by the tolerance",
             (int)order);
    fputs("<h2 id=\"claims\">Claims</h2>\n<dl>\n", out);
    write_term(out, "order", text);
    write_term(out, "accuracy is set by",
               ic_text_is(about, "control", "rtol")   ? "relative tolerance"
               : ic_text_is(about, "control", "step") ? "fixed step"
                                                      : "nothing: closed form");
    const bool linear = json_is_true(json_object_get(about, "needs_linear_view")),
               equations = json_is_true(json_object_get(about, "needs_equations")),
               rate = json_is_true(json_object_get(about, "needs_guard_rate"));
    write_term(out, "needs",
               linear      ? "the linear view of a case"
               : equations ? "the linear view of a case, or its equations"
               : rate      ? "flow, guards and their rates"
                           : "flow and guards");
    if (ic_report_text(about, "variant")[0] != '\0')
        write_term(out, "is made for", ic_report_text(about, "variant"));
    write_clauses(out, json_object_get(about, "clauses_not_kept"));
    fputs("</dl>\n", out);
    ic_page_command(out, "list solvers --long");
}

static void write_cases(ic_web *web, FILE *out, const char *solver)
{
    if (ic_page_count(ic_web_rows(web), "solver", solver) == 0) {
        fputs("<p>Not verified in these results.</p>\n", out);
        return;
    }
    fputs("<table class=\"matrix chips\">\n<caption>Worst error over tolerance, by case</caption>\n<tbody>\n",
          out);
    for (size_t i = 0; i < json_array_size(ic_web_cases(web)); i++) {
        const json_t *about = json_array_get(ic_web_cases(web), i);
        char command[256], link[192];
        const char *name = ic_report_text(about, "name");
        const ic_tally tally = ic_tally_of(ic_web_rows(web), name, solver);
        if (tally.pass + tally.fail == 0) continue;
        snprintf(command, sizeof command, "verify '%.64s*' --solver %.64s", name, solver);
        snprintf(link, sizeof link, "%s#rows", ic_page_link("case", name).text);
        ic_tally_row(web, out, "case", name, link, command, &tally);
    }
    fputs("</tbody>\n</table>\n", out);
}

static bool solver_fails(const json_t *row, const void *solver)
{
    return ic_report_failed(row) && ic_text_is(row, "solver", solver);
}

static void write_orders(ic_web *web, FILE *out, const char *solver)
{
    static const char columns[] = "verdict|subject|of what=what|seen=detail";
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(ic_web_rows(web)); i++) {
        const json_t *row = json_array_get(ic_web_rows(web), i);
        if (!ic_text_is(row, "check", "orders") || !ic_text_is(row, "solver", solver)) continue;
        if (count++ == 0) {
            fputs("<h2 id=\"orders\">Orders shown</h2>\n", out);
            ic_page_table(out, "stack sort filter", NULL, columns);
        }
        IC_HTML(out, "<tr title=\"impactcheck verify '%' --solver %\">", ic_row_operand(row), solver);
        ic_page_cells(out, row, columns);
        fputs("</tr>\n", out);
    }
    if (count > 0) ic_page_table_end(out, "verify SUBJECT --solver SOLVER, with those of the row");
}

/* ---- traps */

static void write_traps(ic_web *web, FILE *out, const json_t *about, const char *solver)
{
    static const char columns[] = "verdict|trap=subject|likely cause=cause|detail";
    char file[IC_WEB_AUDIT];
    const json_t *findings = ic_web_findings(web, solver, file);
    if (ic_report_text(about, "variant")[0] != '\0') return; /* traps are systems of other kinds */
    fputs("<h2 id=\"traps\">On traps</h2>\n", out);
    if (findings == NULL) {
        ic_page_missing(web, out, file);
        return;
    }
    fprintf(out, "<p>%zu of %zu pass.</p>\n", ic_page_count(findings, "verdict", "pass"),
            json_array_size(findings));
    ic_page_table(out, "stack sort", NULL, columns);
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        if (ic_text_is(finding, "verdict", "pass")) continue;
        fputs("<tr>", out);
        ic_page_cells(out, finding, columns);
        fputs("</tr>\n", out);
    }
    ic_page_table_end(out, NULL);
    fputs("<details><summary>Traps that it passes</summary>\n<ul class=\"claims\">\n", out);
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        if (!ic_text_is(finding, "verdict", "pass")) continue;
        IC_HTML(out, "<li class=\"pass\"><b>✓</b> % <span class=\"place\">%</span></li>\n",
                ic_report_text(finding, "subject"), ic_report_text(finding, "detail"));
    }
    fputs("</ul>\n</details>\n", out);
    ic_page_command(out, ic_web_recipe(web, file).text);
}

/* At the top of the page; the traps themselves stand below. */
static void write_failed_traps(ic_web *web, FILE *out, const char *solver)
{
    char file[IC_WEB_AUDIT];
    const json_t *findings = ic_web_findings(web, solver, file);
    if (json_array_size(findings) == 0) return;
    fprintf(out, "<p>On <a href=\"#traps\">traps</a> it fails in %zu of %zu findings.</p>\n",
            ic_page_count(findings, "verdict", "fail"), json_array_size(findings));
}

void ic_write_solver(ic_web *web, const ic_page *page, FILE *out)
{
    const char *name = ic_report_text(page->about, "name");
    IC_HTML(out, "<h1>%</h1>\n<p class=\"lead\">%. <span class=\"source\">%</span></p>\n", name,
            ic_report_text(page->about, "title"), ic_report_text(page->about, "source"));
    if (ic_web_rows(web) == NULL) ic_page_missing(web, out, "verify.json");
    else if (ic_page_rows(out, ic_web_rows(web), "Failures", solver_fails, name) == 0)
        fputs("<p>It fails in no check of <code>verify</code>.</p>\n", out);
    write_failed_traps(web, out, name);
    write_cases(web, out, name);
    write_claims(out, page->about);
    write_orders(web, out, name);
    fputs("<h2 id=\"work\">Work and precision</h2>\n", out);
    ic_page_work_precision(web, name, out);
    ic_page_slopes(web, name, out);
    write_traps(web, out, page->about, name);
}
