/* SPDX-License-Identifier: MIT */
#include "cli/audit_rows.h"
#include "cli/audit_text.h"
#include "reports/number.h"

enum { DIGITS = 3 };

static cli_audit_result result_of(const ic_trajectory_audit *audit)
{
    return (cli_audit_result){.input = "trajectory",
                              .path = audit->tracking.trajectory->path,
                              .findings = &audit->findings,
                              .classifications = audit->classifications,
                              .n_classifications = audit->n_classifications,
                              .one_subject = true};
}

bool cli_audit_rows_print(const cli_request *request, const ic_trajectory_audit *audit)
{
    const ic_tracking *k = &audit->tracking;
    const cli_audit_result result = result_of(audit);
    char rows[160];
    const int n = snprintf(rows, sizeof rows, "%s: %zu rows", k->trajectory->path, k->trajectory->n);
    if (k->n_intervals > 0 && n > 0 && (size_t)n < sizeof rows)
        snprintf(rows + n, sizeof rows - (size_t)n, ", %zu intervals followed, %s s each", k->n_intervals,
                 ic_number_short(k->spacing, DIGITS).text);
    if (!cli_request_print_model(request, "audited", rows)) return false;
    printf("\n");
    return cli_audit_print(&result);
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
    const cli_audit_result result = result_of(audit);
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "case", k->problem->system->name);
    ic_json_text(&json, "preset", request->setup.preset->name);
    ic_json_text(&json, "variant", k->problem->variant->name);
    ic_json_integer(&json, "rows", (long long)k->trajectory->n);
    ic_json_integer(&json, "intervals", (long long)k->n_intervals);
    ic_json_number(&json, "interval", k->spacing);
    noise_json(&json, k);
    cli_audit_json_members(&json, &result);
    ic_json_integer(&json, "failed", (long long)ic_findings_with(&audit->findings, IC_FINDING_FAIL));
    ic_json_end(&json);
}
