/* SPDX-License-Identifier: MIT */
#include "reports/number.h"
#include "reports/reports.h"
#include "reports/result_columns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS = 3 };

const char *ic_report_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

/* Digits that show whether the error exceeds the tolerance. */
static int digits_of(const json_t *row, const char *key)
{
    const json_t *error = json_object_get(row, "error"), *tolerance = json_object_get(row, "tolerance");
    const bool compared = strcmp(key, "error") == 0 || strcmp(key, "tolerance") == 0;
    if (!compared || !json_is_number(error) || !json_is_number(tolerance)) return DIGITS;
    return ic_number_digits_apart(json_number_value(error), json_number_value(tolerance), DIGITS);
}

ic_number_text ic_report_number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? ic_number_short(json_number_value(value), digits_of(row, key))
                                 : (ic_number_text){""};
}

bool ic_report_failed(const json_t *row)
{
    return strcasecmp(ic_report_text(row, "verdict"), "fail") == 0;
}

bool ic_report_skipped(const json_t *row)
{
    return strcmp(ic_report_text(row, "verdict"), "skipped") == 0;
}

bool ic_report_is_finding(const json_t *row)
{
    return json_object_get(row, "cause") != NULL;
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

/* Writes a number with its unit; the tolerance together with its origin. false: there is none. */
static bool write_number(FILE *stream, const json_t *row, int column, const char *between)
{
    const ic_result_column *c = &ic_result_columns[column];
    const ic_number_text number = ic_report_number(row, c->name);
    const char *unit = c->unit[0] != '\0' ? c->unit : ic_report_text(row, "unit");
    const char *origin = ic_report_text(row, "origin"), *gap = strcmp(unit, "1") == 0 ? "" : " ";
    if (number.text[0] == '\0') return false;
    fprintf(stream, "%s%s %s%s%s", between, c->title, number.text, gap, gap[0] != '\0' ? unit : "");
    if (column == IC_RESULT_tolerance && origin[0] != '\0') fprintf(stream, " (%s)", origin);
    return true;
}

/* Writes a column of a row, with a separator before it. false: nothing was written. */
static bool write_measured(FILE *stream, const json_t *row, int column, bool first, bool after_number)
{
    const ic_result_column *c = &ic_result_columns[column];
    const char *text = ic_report_text(row, c->name), *between = first ? "" : "; ";
    if (c->type == IC_COLUMN_NUMBER) return write_number(stream, row, column, after_number ? ", " : between);
    if (text[0] == '\0') return false;
    if (column == IC_RESULT_origin) {
        if (ic_report_number(row, "tolerance").text[0] != '\0') return false; /* written with it */
        fprintf(stream, "%s(%s)", first ? "" : " ", text);
    } else if (column == IC_RESULT_detail) {
        fprintf(stream, "%s%s", between, text);
    } else {
        fprintf(stream, "%s%s: %s", between, c->title, text);
    }
    return true;
}

char *ic_report_measurement(const json_t *row)
{
    bool first = true, after_number = false;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) return NULL;
    for (int i = -1; (i = ic_result_column_after(i, IC_IN_TESTS)) < IC_RESULT_COLUMNS;) {
        if (!write_measured(stream, row, i, first, after_number)) continue;
        first = false;
        after_number = ic_result_columns[i].type == IC_COLUMN_NUMBER;
    }
    const bool whole = ferror(stream) == 0;
    if (fclose(stream) == 0 && whole) return text;
    free(text);
    return NULL;
}

void ic_report_test_name(FILE *stream, const json_t *row, void (*write)(FILE *stream, const char *text))
{
    static const char *const parts[] = {"check", "solver", "place"};
    write(stream, ic_report_text(row, "code"));
    fputs(ic_report_text(row, "code")[0] != '\0' ? " " : "", stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *text = ic_report_text(row, parts[i]);
        fputs(i == 0 || text[0] == '\0' ? "" : ", ", stream);
        write(stream, text);
    }
    fputs(": ", stream);
    write(stream, ic_report_text(row, "what"));
}
