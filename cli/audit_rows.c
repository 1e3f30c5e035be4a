/* SPDX-License-Identifier: MIT */
#include "cli/audit_rows.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/json.h"
#include "reports/number.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 3, INDENT = 2 };

/* ---- for people */

static bool print_findings(const ic_findings *findings)
{
    static const cli_column columns[] = {{"verdict", CLI_LEFT},    {"check", CLI_LEFT}, {"measured", CLI_RIGHT},
                                         {"tolerance", CLI_RIGHT}, {"unit", CLI_LEFT},  {"cause", CLI_LEFT}};
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        cli_table_cell(table, ic_finding_verdict_text(f->verdict));
        cli_table_cell(table, f->check->name);
        cli_table_cell(table, ic_number_short(f->measured, DIGITS).text);
        cli_table_cell(table, ic_number_short(f->tolerance, DIGITS).text);
        cli_table_cell(table, f->unit);
        cli_table_cell(table, ic_mistake_name(f->cause));
    }
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good;
}

static void print_details(const ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict == IC_FINDING_PASS) continue;
        printf("%*s%s: %s; %s\n%*stolerance: %s\n", INDENT, "", f->check->name, f->check->what, f->detail,
               2 * INDENT, "", f->origin);
    }
}

static bool print_classification(const ic_classification *c)
{
    static const cli_column columns[] = {{"candidate", CLI_LEFT}, {"misfit", CLI_RIGHT}};
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    printf("\n%s: %s\n", c->question, c->decided ? c->candidates[0].name : "cannot tell");
    printf("%*s%s (1: what noise explains)\n", INDENT, "", c->detail);
    for (size_t i = 0; i < c->count; i++) {
        cli_table_cell(table, c->candidates[i].name);
        cli_table_cell(table, isinf(c->candidates[i].misfit)
                                  ? "excluded"
                                  : ic_number_short(c->candidates[i].misfit, DIGITS).text);
    }
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good;
}

/* Each cause once. */
static void print_causes(const ic_findings *findings)
{
    bool told[IC_MISTAKE_COUNT] = {false};
    for (size_t i = 0; i < findings->count; i++) {
        const ic_mistake_id cause = findings->rows[i].cause;
        if (cause == IC_NO_MISTAKE || told[cause]) continue;
        told[cause] = true;
        printf("%s %s: %s\n", cli_paint(stdout, CLI_BOLD, "Likely cause:").text, ic_mistake_name(cause),
               ic_mistake_text(cause));
    }
}

bool cli_audit_rows_print(const cli_request *request, const ic_trajectory_audit *audit)
{
    const ic_tracking *k = &audit->tracking;
    char rows[160];
    int n = snprintf(rows, sizeof rows, "%s: %zu rows", k->trajectory->path, k->trajectory->n);
    if (k->n_intervals > 0 && n > 0 && (size_t)n < sizeof rows)
        snprintf(rows + n, sizeof rows - (size_t)n, ", %zu intervals followed, %s s each", k->n_intervals,
                 ic_number_short(k->spacing, DIGITS).text);
    if (!cli_request_print_model(request, "audited", rows)) return false;
    printf("\n");
    if (!print_findings(&audit->findings)) return false;
    const size_t failed = ic_findings_with(&audit->findings, IC_FINDING_FAIL);
    if (failed + ic_findings_with(&audit->findings, IC_FINDING_OPEN) > 0) printf("\n");
    print_details(&audit->findings);
    for (size_t i = 0; i < audit->n_classifications; i++) {
        if (!print_classification(&audit->classifications[i])) return false;
    }
    printf("\n");
    print_causes(&audit->findings);
    printf("%zu of %zu checks failed\n", failed, audit->findings.count);
    return true;
}

/* ---- for programs */

static void finding_json(ic_json *json, const ic_finding *f)
{
    static const char *const verdicts[] = {
        [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "fail", [IC_FINDING_OPEN] = "open"};
    ic_json_object_line(json, NULL);
    ic_json_text(json, "check", f->check->name);
    ic_json_text(json, "subject", f->subject);
    ic_json_text(json, "verdict", verdicts[f->verdict]);
    ic_json_number(json, "measured", f->measured);
    ic_json_number(json, "tolerance", f->tolerance);
    ic_json_text(json, "unit", f->unit);
    ic_json_text(json, "origin", f->origin);
    ic_json_text(json, "detail", f->detail);
    ic_json_text(json, "cause", f->cause != IC_NO_MISTAKE ? ic_mistake_name(f->cause) : NULL);
    ic_json_text(json, "reference", f->check->reference);
    ic_json_end(json);
}

static void classification_json(ic_json *json, const ic_classification *c)
{
    ic_json_object(json, NULL);
    ic_json_text(json, "question", c->question);
    ic_json_text(json, "answer", c->decided ? c->candidates[0].name : NULL);
    ic_json_number(json, "margin", c->margin);
    ic_json_text(json, "detail", c->detail);
    ic_json_array(json, "candidates");
    for (size_t i = 0; i < c->count; i++) {
        ic_json_object_line(json, NULL);
        ic_json_text(json, "name", c->candidates[i].name);
        ic_json_number(json, "misfit", c->candidates[i].misfit);
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_end(json);
}

static void noise_json(ic_json *json, const ic_tracking *k)
{
    ic_json_object(json, "noise");
    for (size_t i = 0; i < k->trajectory->n_states; i++)
        ic_json_number(json, k->problem->system->states[i].name, k->noise[i]);
    ic_json_end(json);
}

void cli_audit_rows_json(const cli_request *request, const ic_trajectory_audit *audit, FILE *stream)
{
    const ic_tracking *k = &audit->tracking;
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "case", k->problem->system->name);
    ic_json_text(&json, "preset", request->setup.preset->name);
    ic_json_text(&json, "variant", k->problem->variant->name);
    ic_json_text(&json, "trajectory", k->trajectory->path);
    ic_json_integer(&json, "rows", (long long)k->trajectory->n);
    ic_json_integer(&json, "intervals", (long long)k->n_intervals);
    ic_json_number(&json, "interval", k->spacing);
    noise_json(&json, k);
    ic_json_array(&json, "findings");
    for (size_t i = 0; i < audit->findings.count; i++) finding_json(&json, &audit->findings.rows[i]);
    ic_json_end(&json);
    ic_json_array(&json, "classifications");
    for (size_t i = 0; i < audit->n_classifications; i++)
        classification_json(&json, &audit->classifications[i]);
    ic_json_end(&json);
    ic_json_integer(&json, "failed", (long long)ic_findings_with(&audit->findings, IC_FINDING_FAIL));
    ic_json_end(&json);
}
