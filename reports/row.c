/* SPDX-License-Identifier: MIT */
#include "reports/number.h"
#include "reports/reports.h"

#include <string.h>
#include <strings.h>

enum { DIGITS = 3 };

const char *ic_report_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

ic_number_text ic_report_number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? ic_number_short(json_number_value(value), DIGITS) : (ic_number_text){""};
}

bool ic_report_failed(const json_t *row)
{
    return strcasecmp(ic_report_text(row, "verdict"), "fail") == 0;
}
