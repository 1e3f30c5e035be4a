/* SPDX-License-Identifier: MIT */
#include "cli/audit_parameters.h"
#include "cli/table.h"
#include "reports/number.h"

#include <stdio.h>

enum { DIGITS = 12, DIGITS_OF_DEVIATION = 2 };

static void add_row(cli_table *table, const ic_parameter_fit *fit)
{
    cli_table_cell(table, fit->name);
    cli_table_cell(table, ic_number_short(fit->case_value, DIGITS).text);
    cli_table_cell(table, ic_number_short(fit->value, ic_parameter_fit_digits(fit)).text);
    cli_table_cell(table, ic_number_short(fit->deviation, DIGITS_OF_DEVIATION).text);
    cli_table_cell(table, ic_number_short(fit->smallest, DIGITS_OF_DEVIATION).text);
    cli_table_cell(table, fit->unit);
}

bool cli_audit_parameters_print(const ic_parameter_fits *fits)
{
    static const cli_column columns[] = {
        {"name", CLI_LEFT},       {"case", CLI_RIGHT},           {"rows", CLI_RIGHT},
        {"deviation", CLI_RIGHT}, {"smallest shown", CLI_RIGHT}, {"unit", CLI_LEFT}};
    if (fits->count == 0) return true;
    printf("\nWhat the rows tell of the parameters, each fitted by itself\n");
    cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; table != NULL && i < fits->count; i++) add_row(table, &fits->rows[i]);
    return cli_table_finish(table, 2, true);
}

void cli_audit_parameters_json(ic_json *json, const ic_parameter_fits *fits)
{
    ic_json_array(json, "parameters");
    for (size_t i = 0; i < fits->count; i++) {
        const ic_parameter_fit *fit = &fits->rows[i];
        ic_json_object_line(json, NULL);
        ic_json_text(json, "name", fit->name);
        ic_json_text(json, "unit", fit->unit);
        ic_json_number(json, "value", fit->value);
        ic_json_number(json, "case_value", fit->case_value);
        ic_json_number(json, "deviation", fit->deviation);
        ic_json_number(json, "smallest_shown", fit->smallest);
        ic_json_end(json);
    }
    ic_json_end(json);
}
