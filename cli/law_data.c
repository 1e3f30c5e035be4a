/* SPDX-License-Identifier: MIT */
/* A contact-force law, for programs: JSON and CSV. */
#include "cli/law.h"
#include "reports/csv.h"
#include "reports/json.h"

void cli_law_json(const cli_law_result *result, FILE *stream)
{
    const ic_parameters *parameters = &result->parameters;
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "law", result->law->name);
    ic_json_object(&json, "parameters");
    for (size_t i = 0; i < parameters->n; i++) {
        ic_json_number(&json, parameters->table[i].name, parameters->value[i]);
    }
    ic_json_end(&json);
    IC_JSON_MEMBERS(
        &json, IC_REAL("mass", result->mass), IC_REAL("speed", result->speed),
        IC_REAL("damping", result->impact.damping), IC_REAL("restitution", result->impact.restitution),
        IC_REAL("u_peak", result->impact.u_peak), IC_REAL("peak_indentation", result->impact.peak_indentation),
        IC_REAL("peak_force", result->impact.peak_force), IC_REAL("duration", result->duration));
    ic_json_array(&json, "curve");
    for (size_t i = 0; result->has_curve && i < CLI_LAW_POINTS; i++) {
        IC_JSON_ROW(&json, NULL, IC_REAL("e_in", result->curve[i].wanted),
                    IC_REAL("a", result->curve[i].damping), IC_REAL("e_out", result->curve[i].restitution));
    }
    ic_json_end(&json);
    ic_json_end(&json);
}

void cli_law_csv(const cli_law_result *result, FILE *stream)
{
    fputs("e_in,a,e_out\n", stream);
    for (size_t i = 0; i < CLI_LAW_POINTS; i++) {
        ic_csv_number(stream, result->curve[i].wanted);
        fputc(',', stream);
        ic_csv_number(stream, result->curve[i].damping);
        fputc(',', stream);
        ic_csv_number(stream, result->curve[i].restitution);
        fputc('\n', stream);
    }
}
