/* SPDX-License-Identifier: MIT */
#include "cli/audit_rows.h"
#include "cli/audit_parameters.h"
#include "cli/audit_text.h"
#include "cli/table.h"
#include "reports/number.h"

#include <string.h>

enum { DIGITS = 3, INDENT = 2 };

cli_audit_result cli_audit_rows_result(const ic_trajectory_audit *audit)
{
    return (cli_audit_result){.input = "trajectory",
                              .path = audit->tracking.trajectory->path,
                              .findings = &audit->findings,
                              .classifications = audit->classifications,
                              .n_classifications = audit->n_classifications,
                              .one_subject = true,
                              .together = true};
}

static size_t count_events(const ic_tracking *k)
{
    size_t count = 0;
    for (size_t i = 0; i < k->n_intervals; i++)
        count += k->intervals[i].jumps && k->intervals[i].explanation != IC_UNEXPLAINED;
    return count;
}

/* Deviations much smaller than the noise cannot be detected. false: memory ran out. */
static bool print_noise(const ic_tracking *k)
{
    if (k->n_intervals == 0) return true;
    cli_table *table = cli_table_of("state|range>|noise>|of the range>|unit");
    for (size_t i = 0; i < k->trajectory->n_states; i++) {
        const ic_state *state = &k->problem->system->states[i];
        if (k->trajectory->source[i] == IC_FROM_TRACKING) continue;
        CLI_ROW(table, state->name, ic_number_short(k->range[i], DIGITS).text,
                ic_number_short(k->noise[i], DIGITS).text,
                ic_number_short(k->noise[i] / k->range[i], DIGITS).text, state->unit);
    }
    return cli_table_finish(table, INDENT, true);
}

bool cli_audit_rows_print(const cli_instance *instance, const ic_trajectory_audit *audit)
{
    const ic_tracking *k = &audit->tracking;
    const cli_audit_result result = cli_audit_rows_result(audit);
    char rows[512];
    const int n = snprintf(rows, sizeof rows, "%s: %zu rows", k->trajectory->path, k->trajectory->n);
    if (k->n_intervals > 0 && n > 0 && (size_t)n < sizeof rows)
        snprintf(rows + n, sizeof rows - (size_t)n, ", %zu intervals followed, %s s each", k->n_intervals,
                 ic_number_short(k->spacing, DIGITS).text);
    const size_t events = count_events(k), used = strlen(rows);
    if (events > 0) snprintf(rows + used, sizeof rows - used, ", %zu of them explained with an event", events);
    cli_audit_print_headline(&result);
    if (!cli_instance_print_model(instance, "audited", rows) || !print_noise(k)) return false;
    /* fitted parameters with their uncertainties, and the smallest deviation that the rows would show */
    for (size_t i = 0; i < audit->findings.count; i++) {
        const ic_finding *f = &audit->findings.rows[i];
        if (strcmp(f->check->name, "parameters") == 0 && f->detail[0] != '\0')
            printf("%*sparameters: %s\n", INDENT, "", f->detail);
    }
    printf("\n");
    return cli_audit_print(&result) && cli_audit_parameters_print(&audit->parameters);
}

static void states_json(ic_json *json, const ic_tracking *k, const char *key, const double *value)
{
    ic_json_object(json, key);
    for (size_t i = 0; i < k->trajectory->n_states; i++)
        ic_json_number(json, k->problem->system->states[i].name, value[i]);
    ic_json_end(json);
}

void cli_audit_rows_json(const cli_instance *instance, const ic_trajectory_audit *audit, FILE *stream)
{
    const ic_tracking *k = &audit->tracking;
    const cli_audit_result result = cli_audit_rows_result(audit);
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(&json, IC_TEXT("case", k->problem->system->name),
                    IC_TEXT("preset", instance->setup.preset->name),
                    IC_TEXT("variant", k->problem->variant->name), IC_WHOLE("rows", k->trajectory->n),
                    IC_WHOLE("intervals", k->n_intervals), IC_REAL("interval", k->spacing),
                    IC_WHOLE("events", count_events(k)), IC_REAL("accept", k->accept));
    states_json(&json, k, "noise", k->noise);
    states_json(&json, k, "range", k->range);
    cli_audit_json_members(&json, &result);
    cli_audit_parameters_json(&json, &audit->parameters);
    ic_json_integer(&json, "failed", (long long)ic_findings_with(&audit->findings, IC_FINDING_FAIL));
    ic_json_end(&json);
}
