/* SPDX-License-Identifier: MIT */
#include "validation/results.h"
#include "core/array.h"
#include "reports/json.h"
#include "validation/workers.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ic_verdict_text(ic_verdict verdict)
{
    switch (verdict) {
    case IC_PASS: return "pass";
    case IC_FAIL: return "FAIL";
    case IC_ERRATUM: return "erratum";
    case IC_SKIPPED: return "skipped";
    }
    return "unknown";
}

void ic_results_free(ic_results *results)
{
    free(results->rows);
    *results = (ic_results){0};
}

bool ic_results_part(ic_results *results)
{
    results->part++;
    results->elsewhere = results->distributed != NULL && !results->take(results->distributed, results->cost);
    results->since = ic_processor_time();
    return !results->elsewhere;
}

void ic_results_add(ic_results *results, const ic_result *row)
{
    if (results->elsewhere) return;
    const double end = ic_processor_time();
    ic_result stamped = *row;
    stamped.part = results->part;
    stamped.seconds = results->since > 0 ? end - results->since : 0;
    results->since = end;
    ic_results_append(results, &stamped);
}

void ic_results_append(ic_results *results, const ic_result *row)
{
    ic_result *rows = ic_array_reserve(results->rows, &results->capacity, results->count, sizeof *rows);
    results->out_of_memory |= rows == NULL;
    if (rows == NULL) return;
    results->rows = rows;
    ic_result *added = &results->rows[results->count++];
    *added = *row;
    if (added->verdict != IC_PASS && added->detail[0] == '\0') {
        added->verdict = IC_FAIL;
        snprintf(added->detail, sizeof added->detail,
                 "the check '%s' does not give a reason: this is an error in impactcheck, please report it",
                 added->check);
    }
    if (results->watch != NULL) results->watch(added, results->context);
}

/* The measured numbers, in words. */
static void write_numbers(ic_result *row)
{
    const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
    const char *blank = unit[0] != '\0' ? " " : "";
    char radius[80] = "";
    if (isnan(row->error)) {
        snprintf(row->detail, sizeof row->detail, "no value could be measured");
        return;
    }
    if (row->radius > 0)
        snprintf(radius, sizeof radius, " (the answer is known to %.3g%s%s)", row->radius, blank, unit);
    snprintf(row->detail, sizeof row->detail, "error %.3g%s%s%s, tolerance %.3g%s%s", row->error, blank, unit,
             radius, row->tolerance, blank, unit);
}

void ic_results_compare(ic_results *results, ic_result row)
{
    const double radius = isnan(row.radius) ? 0 : row.radius;
    row.verdict = row.error + radius <= row.tolerance ? IC_PASS : IC_FAIL;
    if (row.verdict == IC_FAIL && row.detail[0] == '\0') write_numbers(&row);
    ic_results_add(results, &row);
}

size_t ic_results_with(const ic_results *results, ic_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) count += results->rows[i].verdict == verdict;
    return count;
}

size_t ic_results_of_kind(const ic_results *results, ic_kind kind, ic_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        count += row->verdict == verdict && strcmp(row->kind, ic_kind_text(kind)) == 0;
    }
    return count;
}

/* ---- columns */

static const size_t offsets[] = {
#define IC_RESULT_TEXT(name_, ...) offsetof(ic_result, name_),
#define IC_RESULT_NUMBER IC_RESULT_TEXT
#define IC_RESULT_VERDICT IC_RESULT_TEXT
#include "reports/result_columns.def"
};

ic_result ic_row(const char *check, const char *subject, const ic_solver *solver, const char *unit)
{
    ic_result row = {.verdict = IC_FAIL};
    for (int i = 0; i < IC_RESULT_COLUMNS; i++) {
        void *at = (char *)&row + offsets[i];
        if (ic_result_columns[i].type == IC_COLUMN_NUMBER) *(double *)at = NAN;
    }
    snprintf(row.check, sizeof row.check, "%s", check);
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    snprintf(row.solver, sizeof row.solver, "%s", solver != NULL ? solver->name : "");
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    return row;
}

void ic_row_accept(ic_result *row, const ic_tolerance *tolerance)
{
    row->tolerance = ic_tolerance_default(tolerance);
    ic_tolerance_origin(row->origin, sizeof row->origin, tolerance);
}

const char *ic_result_text(const ic_result *row, int column)
{
    if (ic_result_columns[column].type == IC_COLUMN_VERDICT) return ic_verdict_text(row->verdict);
    return (const char *)row + offsets[column];
}

double ic_result_number(const ic_result *row, int column)
{
    const void *at = (const char *)row + offsets[column];
    return *(const double *)at;
}

/* ---- JSON */

static bool is_present(const ic_result *row, int column, bool times)
{
    switch (ic_result_columns[column].presence) {
    case IC_IF_SET:
        return ic_result_columns[column].type == IC_COLUMN_NUMBER ? !isnan(ic_result_number(row, column))
                                                                  : ic_result_text(row, column)[0] != '\0';
    case IC_WITH_PLACE: return row->place[0] != '\0';
    case IC_WITH_TIMES: return times;
    default: return true;
    }
}

static json_t *row_json(const ic_result *row, bool times)
{
    json_t *json = json_object();
    for (int i = 0; i < IC_RESULT_COLUMNS; i++) {
        const ic_result_column *column = &ic_result_columns[i];
        if (!is_present(row, i, times)) continue;
        json_t *value = column->type == IC_COLUMN_NUMBER ? ic_json_real(ic_result_number(row, i))
                                                         : json_string(ic_result_text(row, i));
        if (json_object_set_new(json, column->name, value) == 0) continue;
        json_decref(json);
        return NULL;
    }
    return json;
}

/* Counts of the kinds that occur; NULL if no kind occurs. */
static json_t *kinds_json(const ic_results *results)
{
    json_t *kinds = NULL;
    for (ic_kind kind = 0; kind < IC_KINDS; kind++) {
        size_t counts[IC_SKIPPED + 1], sum = 0;
        for (ic_verdict v = 0; v <= IC_SKIPPED; v++) sum += counts[v] = ic_results_of_kind(results, kind, v);
        if (sum == 0) continue;
        if (kinds == NULL) kinds = json_object();
        json_object_set_new(kinds, ic_kind_text(kind),
                            json_pack("{s:I, s:I, s:I, s:I}", "pass", (json_int_t)counts[IC_PASS], "fail",
                                      (json_int_t)counts[IC_FAIL], "erratum", (json_int_t)counts[IC_ERRATUM],
                                      "skipped", (json_int_t)counts[IC_SKIPPED]));
    }
    return kinds;
}

json_t *ic_results_json(const ic_results *results, bool times)
{
    json_t *rows = json_array();
    for (size_t i = 0; rows != NULL && i < results->count; i++) {
        if (json_array_append_new(rows, row_json(&results->rows[i], times)) != 0) {
            json_decref(rows);
            return NULL;
        }
    }
    return json_pack("{s:o, s:{s:i, s:i, s:i, s:i}, s:o*}", "rows", rows, "summary", "pass",
                     (int)ic_results_with(results, IC_PASS), "fail", (int)ic_results_with(results, IC_FAIL),
                     "erratum", (int)ic_results_with(results, IC_ERRATUM), "skipped",
                     (int)ic_results_with(results, IC_SKIPPED), "kinds", kinds_json(results));
}
