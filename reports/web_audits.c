/* SPDX-License-Identifier: MIT */
/* Audits: scorecards of solvers on traps, galleries of plugins. */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ---- solvers on traps */

static const json_t *findings_of(ic_web *web, const char *solver)
{
    char file[IC_WEB_AUDIT];
    return ic_web_findings(web, solver, file);
}

static const json_t *finding_on(const json_t *findings, const char *subject)
{
    size_t i;
    json_t *finding;
    json_array_foreach(findings, i, finding) if (ic_text_is(finding, "subject", subject)) return finding;
    return NULL;
}

static void write_trap_cell(FILE *out, const char *solver, const json_t *finding, const char *trap)
{
    const bool pass = ic_text_is(finding, "verdict", "pass"), fail = ic_report_failed(finding);
    const char *cause = ic_report_text(finding, "cause");
    IC_HTML(out, "<td class=\"cell %\" data-l=\"%\" title=\"impactcheck audit --solver % --trap '%'\">",
            pass   ? "pass"
            : fail ? "fail"
                   : "none",
            solver, solver, trap);
    IC_HTML(out, "<a href=\"%#traps\">", ic_page_link("solver", solver).text);
    fputs(finding == NULL ? "·" : pass ? "✓" : fail ? "✗" : "?", out);
    fputs("</a>", out);
    if (fail && cause[0] != '\0') IC_HTML(out, "<span class=\"why\">%</span>", cause);
    fputs("</td>\n", out);
}

static void write_trap_head(ic_web *web, FILE *out)
{
    fputs("<table class=\"matrix upright\">\n<thead><tr><th>trap</th>", out);
    for (size_t i = 0; i < json_array_size(ic_web_solvers(web)); i++) {
        const json_t *solver = json_array_get(ic_web_solvers(web), i);
        const char *name = ic_report_text(solver, "name");
        if (findings_of(web, name) != NULL) IC_HTML(out, "<th><span>%</span></th>", name);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void write_trap(ic_web *web, FILE *out, const json_t *trap, const char *run)
{
    char subject[160];
    snprintf(subject, sizeof subject, "%s/%s", ic_report_text(trap, "name"), run);
    IC_HTML(out, "<tr><th scope=\"row\" title=\"%\">%</th>\n", ic_report_text(trap, "title"), subject);
    for (size_t i = 0; i < json_array_size(ic_web_solvers(web)); i++) {
        const json_t *solver = json_array_get(ic_web_solvers(web), i);
        const char *name = ic_report_text(solver, "name");
        const json_t *findings = findings_of(web, name);
        if (findings != NULL) write_trap_cell(out, name, finding_on(findings, subject), subject);
    }
    fputs("</tr>\n", out);
}

static void write_trap_names(ic_web *web, FILE *out)
{
    size_t i;
    json_t *trap;
    fputs("<details><summary>Each trap, and the public issues from which it was made</summary>\n<dl>\n", out);
    json_array_foreach(json_object_get(ic_web_json(web, "list.json"), "traps"), i, trap)
        IC_HTML(out, "<dt>%</dt><dd>% <span class=\"place\">%</span></dd>\n", ic_report_text(trap, "name"),
                ic_report_text(trap, "title"), ic_report_text(trap, "cites"));
    fputs("</dl>\n</details>\n", out);
}

static void write_traps(ic_web *web, FILE *out)
{
    size_t audited = 0;
    fputs("<h2 id=\"traps\">Solvers on traps</h2>\n"
          "<p>Small systems with exact answers, each made from a public issue of a package. "
          "✓ passes, ✗ fails, ? undecided: the solver declares that it does not support this.</p>\n",
          out);
    for (size_t i = 0; i < json_array_size(ic_web_solvers(web)); i++) {
        const json_t *solver = json_array_get(ic_web_solvers(web), i);
        const char *name = ic_report_text(solver, "name");
        char file[IC_WEB_AUDIT];
        if (ic_web_findings(web, name, file) != NULL) audited++;
        else if (ic_report_text(solver, "variant")[0] == '\0') ic_page_missing(web, out, file);
    }
    if (audited == 0) return;
    write_trap_head(web, out);
    const json_t *traps = json_object_get(ic_web_json(web, "list.json"), "traps");
    for (size_t i = 0; i < json_array_size(traps); i++) {
        const json_t *trap = json_array_get(traps, i);
        for (size_t k = 0; k < json_array_size(json_object_get(trap, "runs")); k++)
            write_trap(web, out, trap, json_string_value(json_array_get(json_object_get(trap, "runs"), k)));
    }
    fputs("</tbody>\n</table>\n", out);
    write_trap_names(web, out);
    ic_page_command(out, "audit --solver SOLVER --trap TRAP");
}

/* ---- plugins of the tests: all files of audits/gallery */

static int is_json(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0;
}

/* Verdict of a whole audit for a cell; NONE if the file has no verdict. */
static const char *verdict_of(const json_t *audit)
{
    if (ic_text_is(audit, "verdict", "good")) return "pass";
    return ic_text_is(audit, "verdict", "failed") ? "FAIL" : "undecided";
}

/* The files of a folder of audits, to be freed by free_names. */
typedef struct names {
    struct dirent **entries;
    int n;
} names;

static names list_audits(const ic_web *web, const char *inside)
{
    char folder[IC_WEB_PATH];
    names all = {NULL, 0};
    snprintf(folder, sizeof folder, "%.400s/%.60s", web->folder, inside);
    all.n = scandir(folder, &all.entries, is_json, alphasort);
    return all;
}

static void free_names(names *all)
{
    for (int i = 0; i < all->n; i++) free(all->entries[i]);
    free(all->entries);
}

bool ic_web_has_audits(const ic_web *web)
{
    names all = list_audits(web, "audits");
    const bool any = all.n > 0;
    free_names(&all);
    return any;
}

static void write_audit(ic_web *web, FILE *out, const char *folder, const char *entry)
{
    char file[IC_WEB_PATH], counts[64], name[IC_WEB_PATH];
    size_t failed = 0;
    const char *cause = "";
    snprintf(file, sizeof file, "%.40s/%.400s", folder, entry);
    const json_t *audit = ic_web_json(web, file), *findings = json_object_get(audit, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        if (!ic_report_failed(finding)) continue;
        failed++;
        if (cause[0] == '\0') cause = ic_report_text(finding, "cause");
    }
    snprintf(counts, sizeof counts, "%zu of %zu", failed, json_array_size(findings));
    snprintf(name, sizeof name, "%.*s", (int)(strlen(entry) - strlen(".json")), entry);
    if (web->subject[0] == '\0') IC_HTML(out, "<tr title=\"impactcheck audit --plugin %.so\">", name);
    else fputs("<tr>", out);
    ic_page_verdict(out, verdict_of(audit));
    ic_page_cell(out, "audited", name);
    ic_page_cell(out, "findings that fail", counts);
    ic_page_cell(out, "likely cause", cause);
    fputs("</tr>\n", out);
}

static void write_table(ic_web *web, FILE *out, const char *folder, names *all)
{
    ic_page_table(out, "stack sort filter", NULL, "verdict|audited|findings that fail|likely cause");
    for (int i = 0; i < all->n; i++) write_audit(web, out, folder, all->entries[i]->d_name);
    free_names(all);
    ic_page_table_end(out, web->subject[0] == '\0' ? "audit --plugin PLUGIN.so --json" : "audit --json");
}

static void write_gallery(ic_web *web, FILE *out)
{
    names all = list_audits(web, "audits/gallery");
    fputs("<h2 id=\"gallery\">Faulty plugins, and correct ones</h2>\n", out);
    if (all.n <= 0) {
        fputs(
            "<p class=\"missing\">No results: <code>audits/gallery/</code> is missing. "
            "<code>./run report</code> makes it where the tests' plugins are built (<code>./run test</code>).</p>\n",
            out);
        free_names(&all);
        return;
    }
    fputs("<p>Plugins of the tests: each is correct, or makes the mistake after which it is named. "
          "The faulty ones must fail with the right cause, and the correct ones must pass. "
          "An audit that decides too little is undecided, and has not passed.</p>\n",
          out);
    write_table(web, out, "audits/gallery", &all);
}

void ic_write_audits(ic_web *web, const ic_page *page, FILE *out)
{
    IC_HTML(out, "<h1>%</h1>\n<p class=\"lead\">Contact code, examined for known mistakes.</p>\n", page->title);
    if (web->subject[0] != '\0') {
        names all = list_audits(web, "audits");
        write_table(web, out, "audits", &all);
        return;
    }
    write_traps(web, out);
    write_gallery(web, out);
}
