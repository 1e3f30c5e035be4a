/* SPDX-License-Identifier: MIT */
/* Counts of the rows of verify by verdict, and the matrix cells that show them. */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <math.h>
#include <string.h>
#include <strings.h>

bool ic_text_is(const json_t *object, const char *key, const char *value)
{
    return strcmp(ic_report_text(object, key), value) == 0;
}

bool ic_row_of_case(const json_t *row, const char *case_name)
{
    const char *subject = ic_report_text(row, "subject");
    const size_t n = strlen(case_name);
    return strncmp(subject, case_name, n) == 0 && (subject[n] == '\0' || subject[n] == '/');
}

double ic_row_share(const json_t *row)
{
    const json_t *error = json_object_get(row, "error"), *tolerance = json_object_get(row, "tolerance");
    if (!json_is_number(error) || !json_is_number(tolerance)) return NAN;
    const double reached = json_number_value(error) + json_number_value(json_object_get(row, "radius"));
    const double allowed = json_number_value(tolerance);
    if (allowed > 0) return reached / allowed;
    return reached > 0 ? INFINITY : 0;
}

ic_tally ic_tally_of(const json_t *rows, const char *case_name, const char *solver)
{
    ic_tally tally = {.worst = NAN};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (case_name != NULL && !ic_row_of_case(row, case_name)) continue;
        if (solver != NULL && !ic_text_is(row, "solver", solver)) continue;
        if (ic_report_failed(row)) tally.fail++;
        else if (ic_text_is(row, "verdict", "pass")) tally.pass++;
        else if (ic_text_is(row, "verdict", "erratum")) tally.erratum++;
        else tally.skipped++;
        if (ic_report_failed(row) || ic_text_is(row, "verdict", "pass"))
            tally.worst = fmax(tally.worst, ic_row_share(row));
    }
    return tally;
}

/* Short enough for a column on a telephone. */
static void write_share(FILE *out, double share)
{
    if (isinf(share)) fputs("∞", out);
    else if (share < 0.005) fputs("&lt;0.01", out);
    else if (share < 0.995) fprintf(out, "0.%02d", (int)lround(100 * share));
    else fputs(ic_number_short(share, 2).text, out);
}

void ic_tally_cell(FILE *out, const char *label, const char *link, const char *command, const ic_tally *tally)
{
    const bool none = tally->pass + tally->fail == 0;
    const char *look = tally->fail > 0 ? "fail" : none ? "none" : tally->worst > 0.5 ? "near" : "pass";
    char counts[96];
    snprintf(counts, sizeof counts, "%zu pass, %zu fail, %zu errata, %zu skipped: ", tally->pass, tally->fail,
             tally->erratum, tally->skipped);
    IC_HTML(out, "<td class=\"cell %\" data-l=\"%\" title=\"%impactcheck %\">", look, label, counts, command);
    if (none) {
        fputs(tally->skipped + tally->erratum > 0 ? "–" : "<span class=\"off\">·</span>", out);
    } else {
        IC_HTML(out, "<a href=\"%\">", link);
        fputs(tally->fail > 0 ? "✗ " : "✓ ", out);
        if (!isnan(tally->worst)) write_share(out, tally->worst);
        else if (tally->fail > 0) fprintf(out, "%zu", tally->fail);
        fputs("</a>", out);
    }
    fputs("</td>\n", out);
}

void ic_tally_row(const ic_web *web, FILE *out, const char *kind, const char *name, const char *link,
                  const char *command, const ic_tally *tally)
{
    fputs("<tr><th scope=\"row\">", out);
    ic_page_name(web, out, kind, name);
    fputs("</th>", out);
    ic_tally_cell(out, "worst", link, command, tally);
    fprintf(out, "<td class=\"n\">%zu checks</td></tr>\n", tally->pass + tally->fail);
}
