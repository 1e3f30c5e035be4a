/* SPDX-License-Identifier: MIT */
/* The front page: failures with their reasons, followed by the matrix of solvers and cases. */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

static bool row_failed(const json_t *row, const void *context)
{
    (void)context;
    return ic_report_failed(row);
}

static void write_verdict(FILE *out, const ic_tally *all)
{
    const size_t judged = all->pass + all->fail;
    if (all->fail > 0)
        fprintf(out, "<h1 class=\"fail\"><span>✗</span> %zu of %zu checks %s</h1>\n", all->fail, judged,
                all->fail == 1 ? "fails" : "fail");
    else fprintf(out, "<h1 class=\"pass\"><span>✓</span> All %zu checks pass</h1>\n", judged);
    fprintf(
        out,
        "<p class=\"lead\">Integrators of contact and impact, compared with proved answers. "
        "In addition, %zu rows show statements that do not hold as printed or as scanned, and %zu comparisons cannot be made; their rows give the reason.</p>\n",
        all->erratum, all->skipped);
}

/*
 * Findings and targets are not checks of verify, but may fail. The front page counts them, so that
 * the verdict is not misunderstood.
 */
static void write_besides(ic_web *web, FILE *out)
{
    size_t findings = 0, failing = 0, open = 0;
    for (size_t i = 0; i < json_array_size(ic_web_solvers(web)); i++) {
        const json_t *solver = json_array_get(ic_web_solvers(web), i);
        char file[IC_WEB_AUDIT];
        const json_t *found = ic_web_findings(web, ic_report_text(solver, "name"), file);
        findings += json_array_size(found);
        failing += ic_page_count(found, "verdict", "fail");
        open += ic_page_count(found, "verdict", "open");
    }
    const json_t *all = json_object_get(ic_web_json(web, "bench.json"), "targets");
    const size_t missed = ic_page_count(all, "verdict", "missed"),
                 targets = missed + ic_page_count(all, "verdict", "met");
    if (findings + targets == 0) return;
    fputs("<p>Not among these checks: ", out);
    if (findings > 0)
        fprintf(out, "%zu findings on <a href=\"audits.html\">traps</a>: %zu failed, %zu undecided", findings,
                failing, open);
    if (findings > 0 && targets > 0) fputs("; ", out);
    if (targets > 0)
        fprintf(out, "%zu <a href=\"costs.html#targets\">targets of cost</a>: %zu missed", targets, missed);
    fputs(".</p>\n", out);
}

/* Each by its title and its source. */
static void write_names(FILE *out, const char *title, const char *kind, const json_t *items)
{
    IC_HTML(out, "<h3>%</h3>\n<dl>\n", title);
    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);
        const char *name = ic_report_text(item, "name");
        IC_HTML(out, "<dt><a href=\"%\">%</a></dt><dd>%. <span class=\"place\">%</span></dd>\n",
                ic_page_link(kind, name).text, name, ic_report_text(item, "title"),
                ic_report_text(item, "source"));
    }
    fputs("</dl>\n", out);
}

static void write_head(FILE *out, const json_t *solvers)
{
    fputs("<thead><tr><th>case</th>", out);
    for (size_t i = 0; i < json_array_size(solvers); i++) {
        const json_t *solver = json_array_get(solvers, i);
        const char *name = ic_report_text(solver, "name");
        IC_HTML(out, "<th><span><a href=\"%\">%</a></span></th>", ic_page_link("solver", name).text, name);
    }
    fputs("<th><span>no solver</span></th></tr></thead>\n<tbody>\n", out);
}

/* The checks of a case by a solver; "": those that need none. */
static void write_matrix_cell(ic_web *web, FILE *out, const json_t *about, const char *solver)
{
    char command[600], link[192];
    const char *name = ic_report_text(about, "name"), *operand = ic_report_text(about, "operand");
    const ic_tally tally = ic_tally_of(ic_web_rows(web), name, solver);
    snprintf(command, sizeof command, "verify '%.400s%s'%s%.64s", operand[0] != '\0' ? operand : name,
             operand[0] != '\0' ? "" : "*", solver[0] != '\0' ? " --solver " : "", solver);
    snprintf(link, sizeof link, "%s#rows", ic_page_link("case", name).text);
    ic_tally_cell(out, solver[0] != '\0' ? solver : "no solver", link, command, &tally);
}

static void write_matrix_row(ic_web *web, FILE *out, const json_t *about)
{
    const char *name = ic_report_text(about, "name");
    IC_HTML(out, "<tr><th scope=\"row\"><a href=\"%\">%</a></th>", ic_page_link("case", name).text, name);
    for (size_t i = 0; i < json_array_size(ic_web_solvers(web)); i++)
        write_matrix_cell(web, out, about, ic_report_text(json_array_get(ic_web_solvers(web), i), "name"));
    write_matrix_cell(web, out, about, "");
    fputs("</tr>\n", out);
}

static void write_matrix(ic_web *web, FILE *out)
{
    fputs("<h2 id=\"cases\">Cases and solvers</h2>\n"
          "<p>Each cell is the worst error of all checks divided by its tolerance: "
          "below 1 all hold, amber is above one half. "
          "✓ passes, ✗ fails, – cannot be compared, · not supported. "
          "The last column has the checks that judge a case itself.</p>\n"
          "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"Cases and solvers\">\n"
          "<table class=\"matrix upright\" id=\"solvers\">\n"
          "<caption class=\"hidden\">Worst error over tolerance</caption>\n",
          out);
    write_head(out, ic_web_solvers(web));
    for (size_t i = 0; i < json_array_size(ic_web_cases(web)); i++)
        write_matrix_row(web, out, json_array_get(ic_web_cases(web), i));
    fputs("</tbody>\n</table></div>\n", out);
    ic_page_command(out, "verify 'CASE*' --solver SOLVER");
}

static ic_tally tally_of(const json_t *rows, const char *member, const char *value)
{
    ic_tally tally = {0};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!ic_text_is(row, member, value)) continue;
        tally.fail += ic_report_failed(row);
        tally.pass += ic_text_is(row, "verdict", "pass");
        tally.erratum += ic_text_is(row, "verdict", "erratum");
        tally.skipped += ic_text_is(row, "verdict", "skipped");
    }
    return tally;
}

static void write_tally_head(FILE *out, const char *id, const char *title, const char *classes, const char *of,
                             const char *meaning)
{
    IC_HTML(out, "<h2 id=\"%\">%</h2>\n<table class=\"%\">\n<thead><tr><th>%</th><th class=\"n\">pass</th>", id,
            title, classes, of);
    IC_HTML(out,
            "<th class=\"n\">fail</th><th class=\"n\">errata</th><th class=\"n\">skipped</th>"
            "<th class=\"words\">%</th></tr></thead>\n<tbody>\n",
            meaning);
}

/* Number of rows with a value in a member, by verdict. */
static void write_tally(ic_web *web, FILE *out, const char *member, const char *value, const char *meaning)
{
    const ic_tally t = tally_of(ic_web_rows(web), member, value);
    IC_HTML(out, "<tr title=\"impactcheck verify\"><th scope=\"row\">%</th>", value);
    fprintf(
        out,
        "<td class=\"n\">%zu</td><td class=\"n%s\">%zu</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td>",
        t.pass, t.fail > 0 ? " fail" : "", t.fail, t.erratum, t.skipped);
    IC_HTML(out, "<td class=\"words\">%</td></tr>\n", meaning);
}

static void write_kinds(ic_web *web, FILE *out)
{
    static const struct {
        const char *kind, *meaning;
    } kinds[] = {
        {"statement", "a statement of a paper: it holds, or it does not (erratum)"},
        {"misprint", "the printed text is wrong; this follows from the text itself"},
        {"as scanned", "the scanned text is wrong; the paper may be right as printed"},
        {"given", "an input: ours has exactly the printed value"},
        {"finding", "a result of ours, or one that holds for assumed data"},
        {"not testable", "the row gives the reason"},
        {"evidence", "further evidence for an erratum, not counted as an erratum"},
    };
    write_tally_head(out, "kinds", "Rows about papers, by kind", "wide", "kind", "meaning");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        write_tally(web, out, "kind", kinds[i].kind, kinds[i].meaning);
    ic_page_table_end(out, NULL);
}

static void write_checks(ic_web *web, FILE *out)
{
    size_t i;
    json_t *check;
    write_tally_head(out, "evidence", "By kind of evidence", "sort wide", "check", "meaning");
    json_array_foreach(json_object_get(ic_web_json(web, "list.json"), "checks"), i, check)
        write_tally(web, out, "check", ic_report_text(check, "name"), ic_report_text(check, "meaning"));
    ic_page_table_end(out, NULL);
}

void ic_write_front(ic_web *web, const ic_page *page, FILE *out)
{
    (void)page;
    const json_t *rows = ic_web_rows(web);
    if (rows == NULL) {
        fputs("<h1>No verdict yet</h1>\n", out);
        ic_page_missing(web, out, "verify.json");
    } else {
        const ic_tally all = ic_tally_of(rows, NULL, NULL);
        write_verdict(out, &all);
        write_besides(web, out);
        if (all.fail > 0) ic_page_rows(out, rows, "Failures", row_failed, NULL);
    }
    write_matrix(web, out);
    write_checks(web, out);
    write_kinds(web, out);
    fputs("<h2 id=\"names\">Cases and solvers by name</h2>\n", out);
    write_names(out, "Cases", "case", ic_web_cases(web));
    write_names(out, "Solvers", "solver", ic_web_solvers(web));
    fputs(
        "<p>Further: "
        "<a href=\"audits.html\">audits</a> of solvers on traps, <a href=\"costs.html\">cost of accuracy</a>, <a href=\"studies.html\">studies</a>, and <a href=\"results.html\">where the numbers come from</a>.</p>\n",
        out);
}
