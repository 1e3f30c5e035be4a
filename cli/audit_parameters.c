/* SPDX-License-Identifier: MIT */
#include "cli/audit_parameters.h"
#include "cli/table.h"
#include "reports/number.h"

#include <stdio.h>

enum { DIGITS = 12, DIGITS_OF_DEVIATION = 2 };

bool cli_audit_parameters_print(const ic_parameter_fits *fits)
{
    if (fits->count == 0) return true;
    printf("\nParameters that fit the rows, each fitted alone\n");
    cli_table *table = cli_table_of("name|case>|rows>|deviation>|smallest shown>|unit");
    for (const ic_parameter_fit *fit = fits->rows; fit < fits->rows + fits->count; fit++) {
        CLI_ROW(table, fit->name, ic_number_short(fit->case_value, DIGITS).text,
                ic_number_short(fit->value, ic_parameter_fit_digits(fit)).text,
                ic_number_short(fit->deviation, DIGITS_OF_DEVIATION).text,
                ic_number_short(fit->smallest, DIGITS_OF_DEVIATION).text, fit->unit);
    }
    return cli_table_finish(table, 2, true);
}

void cli_audit_parameters_json(ic_json *json, const ic_parameter_fits *fits)
{
    ic_json_array(json, "parameters");
    for (size_t i = 0; i < fits->count; i++) {
        const ic_parameter_fit *fit = &fits->rows[i];
        IC_JSON_ROW(json, NULL, IC_TEXT("name", fit->name), IC_TEXT("unit", fit->unit),
                    IC_REAL("value", fit->value), IC_REAL("case_value", fit->case_value),
                    IC_REAL("deviation", fit->deviation), IC_REAL("smallest_shown", fit->smallest));
    }
    ic_json_end(json);
}
