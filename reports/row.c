/* SPDX-License-Identifier: MIT */
#include "reports/number.h"
#include "reports/reports.h"

#include <stdlib.h>
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

bool ic_report_skipped(const json_t *row)
{
    return strcmp(ic_report_text(row, "verdict"), "skipped") == 0;
}

int ic_report_case_length(const json_t *row)
{
    return (int)strcspn(ic_report_text(row, "subject"), "/");
}

bool ic_report_same_case(const json_t *a, const json_t *b)
{
    const int length = ic_report_case_length(a);
    return length == ic_report_case_length(b) &&
           strncmp(ic_report_text(a, "subject"), ic_report_text(b, "subject"), (size_t)length) == 0;
}

bool ic_report_begins_case(const json_t *rows, size_t i)
{
    const json_t *row = json_array_get(rows, i);
    for (size_t j = 0; j < i; j++) {
        if (ic_report_same_case(json_array_get(rows, j), row)) return false;
    }
    return true;
}

ic_report_counts ic_report_count(const json_t *rows, const json_t *like, const char *solver)
{
    ic_report_counts counts = {0, 0, 0};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (like != NULL && !ic_report_same_case(row, like)) continue;
        if (solver != NULL && strcmp(ic_report_text(row, "solver"), solver) != 0) continue;
        counts.all += 1;
        counts.failed += ic_report_failed(row);
        counts.skipped += ic_report_skipped(row);
    }
    return counts;
}

char *ic_report_measurement(const json_t *row)
{
    static const char *const keys[] = {"error", "radius", "tolerance"};
    const char *origin = ic_report_text(row, "origin"), *detail = ic_report_text(row, "detail");
    const char *between = "";
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) return NULL;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const ic_number_text number = ic_report_number(row, keys[i]);
        if (number.text[0] == '\0') continue;
        fprintf(stream, "%s%s %s %s", between, keys[i], number.text, ic_report_text(row, "unit"));
        between = ", ";
    }
    if (origin[0] != '\0') fprintf(stream, " (%s)", origin);
    if (detail[0] != '\0') fprintf(stream, "%s%s", between[0] == '\0' ? "" : "; ", detail);
    const bool whole = ferror(stream) == 0;
    if (fclose(stream) == 0 && whole) return text;
    free(text);
    return NULL;
}
