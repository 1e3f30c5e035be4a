/* SPDX-License-Identifier: MIT */
/* The head of a report about one case: what it is, whether all is well, what to do next. */
#include "reports/html.h"
#include "reports/number.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The certificate of the first preset; NULL: there is none. */
static const json_t *certificate_of(ic_web *web, const json_t *about)
{
    char file[192];
    snprintf(file, sizeof file, "certified/%.128s.json", ic_report_text(about, "name"));
    return ic_web_json(web, file);
}

/* ---- whether all is well */

static void write_standing(FILE *out, const ic_tally *all)
{
    const size_t judged = all->pass + all->fail;
    if (all->fail > 0)
        fprintf(out, "<p class=\"standing fail\"><span>✗</span> %zu of %zu checks %s</p>\n", all->fail, judged,
                all->fail == 1 ? "fails" : "fail");
    else if (judged == 0)
        fputs("<p class=\"standing none\"><span>–</span> Undecided: nothing could be checked</p>\n", out);
    else fprintf(out, "<p class=\"standing pass\"><span>✓</span> All %zu checks pass</p>\n", judged);
}

static void write_certificate(FILE *out, const json_t *answer)
{
    const json_t *events = json_object_get(answer, "events");
    const size_t n = json_array_size(events);
    double widest = 0;
    fputs("<dt>certified</dt><dd>", out);
    for (size_t i = 0; i < json_array_size(events); i++)
        widest = fmax(widest, strtod(ic_report_text(json_array_get(events, i), "radius"), NULL));
    if (answer == NULL) {
        fputs("no: no certificate could be made", out);
    } else if (!ic_text_is(answer, "status", "certified")) {
        fprintf(out, "not to the end, for %zu event%s: ", n, n == 1 ? "" : "s");
        IC_HTML(out, "%", ic_report_text(answer, "reason"));
    } else if (n == 0) {
        fputs("<a href=\"#certified\">yes</a>: its run has no event", out);
    } else {
        fprintf(out, "<a href=\"#certified\">yes</a>: %zu event%s, each proved to ±", n, n == 1 ? "" : "s");
        IC_HTML(out, "% s or less", ic_number_short(widest, 2).text);
    }
    fputs("</dd>\n", out);
}

static void write_facts(ic_web *web, FILE *out, const json_t *about, const ic_tally *all)
{
    const char *source = ic_report_text(about, "source");
    fputs("<dl class=\"facts\">\n", out);
    IC_HTML(out, "<dt>case</dt><dd><code>%</code></dd>\n", web->subject);
    if (source[0] != '\0') IC_HTML(out, "<dt>source</dt><dd>%</dd>\n", source);
    fprintf(out, "<dt>checks</dt><dd><a href=\"#rows\">%zu pass, %zu fail</a>", all->pass, all->fail);
    if (all->erratum > 0) fprintf(out, ", %zu errata", all->erratum);
    if (all->skipped > 0) fprintf(out, "; %zu comparisons cannot be made", all->skipped);
    fputs("</dd>\n", out);
    write_certificate(out, certificate_of(web, about));
    ic_page_cheapest(web, out);
    fputs("</dl>\n", out);
}

void ic_page_own_head(ic_web *web, const ic_page *page, FILE *out)
{
    const char *title = ic_report_text(page->about, "title"), *name = ic_report_text(page->about, "name");
    const char *prose = ic_report_text(json_object_get(page->about, "text"), "about");
    const ic_tally all = ic_tally_of(ic_web_rows(web), name, NULL);
    IC_HTML(out, "<h1>%</h1>\n", title[0] != '\0' ? title : name);
    write_standing(out, &all);
    if (prose[0] != '\0') IC_HTML(out, "<p>%</p>\n", prose);
    write_facts(web, out, page->about, &all);
}

/* ---- what to do next */

static void advise(FILE *out, const char *words, const char *command)
{
    IC_HTML(out, "<li>%", words);
    ic_page_command(out, command);
    fputs("</li>\n", out);
}

/* The first check that fails, and what looks at it. */
static void advise_on_failure(ic_web *web, FILE *out)
{
    char command[IC_WEB_PATH];
    for (size_t i = 0; i < json_array_size(ic_web_rows(web)); i++) {
        const json_t *row = json_array_get(ic_web_rows(web), i);
        if (!ic_report_failed(row)) continue;
        const char *solver = ic_report_text(row, "solver");
        snprintf(command, sizeof command, "verify '%.300s'%s%.64s", ic_row_operand(row),
                 solver[0] != '\0' ? " --solver " : "", solver);
        advise(out,
               solver[0] == '\0'
                   ? "Mend what fails first; this repeats it alone."
                   : "A solver misses a tolerance, by its steps or by its events; this repeats it alone.",
               command);
        return;
    }
}

void ic_page_own_next(ic_web *web, const ic_page *page, FILE *out)
{
    const ic_recipe operand = ic_web_operand(web);
    const json_t *answer = certificate_of(web, page->about);
    char command[IC_WEB_PATH + 64];
    fputs("<h2 id=\"next\">What to do next</h2>\n<ol class=\"next\">\n", out);
    advise_on_failure(web, out);
    if (!ic_text_is(answer, "status", "certified") && json_object_get(page->about, "file") != NULL) {
        snprintf(command, sizeof command, "%s %s", answer != NULL ? "certify" : "check", operand.text);
        advise(out, "See where its certificate ends, and why.", command);
    }
    snprintf(command, sizeof command, "run %s --plot motion.svg", operand.text);
    advise(out, "Draw its motion.", command);
    snprintf(command, sizeof command, "run %s --trajectory rows.csv", operand.text);
    advise(out, "Write its motion as rows, the form in which your own simulation is audited.", command);
    snprintf(command, sizeof command, "audit --trajectory rows.csv --case %s", operand.text);
    advise(out, "Audit your own simulation: put its rows in place of these.", command);
    fputs("</ol>\n", out);
}
