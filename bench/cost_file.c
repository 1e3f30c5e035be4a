/* SPDX-License-Identifier: MIT */
/*
 * The file of results: written with one row in each line; a fault found while reading is reported
 * with its place.
 */
#include "bench/cost.h"
#include "bench/load.h"
#include "bench/orders.h"
#include "bench/statistics.h"
#include "bench/targets.h"
#include "core/input_file.h"
#include "reports/csv.h"
#include "reports/json.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define MOST_WHOLE 9007199254740992.0 /* 2^53 */

/* ---- members of objects, for writing and reading */

/* A count is a number that is written as a whole one, as far as doubles hold all of these. */
typedef enum member_type { TEXT, NUMBER, COUNT, WHOLE } member_type;

typedef struct member {
    const char *key;
    member_type type;

    /* in the struct */
    size_t offset, size;

    /* older files do not have it */
    bool later;
} member;

#define MEMBER(type_, struct_, name_)                                                                          \
    {                                                                                                          \
#name_, type_, offsetof(struct_, name_), sizeof((struct_ *)NULL)->name_, false                         \
    }
#define LATER(type_, struct_, name_)                                                                           \
    {                                                                                                          \
#name_, type_, offsetof(struct_, name_), sizeof((struct_ *)NULL)->name_, true                          \
    }

static const member machine_members[] = {MEMBER(TEXT, ic_cost_machine, cpu),
                                         MEMBER(WHOLE, ic_cost_machine, cores),
                                         MEMBER(TEXT, ic_cost_machine, compiler),
                                         MEMBER(TEXT, ic_cost_machine, flags),
                                         MEMBER(TEXT, ic_cost_machine, version),
                                         MEMBER(TEXT, ic_cost_machine, commit),
                                         MEMBER(TEXT, ic_cost_machine, date),
                                         MEMBER(TEXT, ic_cost_machine, arithmetic),
                                         {.key = NULL}};
static const member overhead_members[] = {
    MEMBER(NUMBER, ic_cost_overhead, by_hand),     MEMBER(NUMBER, ic_cost_overhead, registry),
    MEMBER(NUMBER, ic_cost_overhead, solver),      MEMBER(NUMBER, ic_cost_overhead, ratio),
    LATER(NUMBER, ic_cost_overhead, ratio_low),    LATER(NUMBER, ic_cost_overhead, ratio_high),
    LATER(NUMBER, ic_cost_overhead, solver_ratio), LATER(NUMBER, ic_cost_overhead, solver_low),
    LATER(NUMBER, ic_cost_overhead, solver_high),  {.key = NULL}};
static const member floor_members[] = {MEMBER(TEXT, ic_cost_floor, vectors),
                                       MEMBER(WHOLE, ic_cost_floor, width),
                                       MEMBER(NUMBER, ic_cost_floor, exp),
                                       MEMBER(NUMBER, ic_cost_floor, sin),
                                       MEMBER(NUMBER, ic_cost_floor, cos),
                                       MEMBER(NUMBER, ic_cost_floor, event),
                                       {.key = NULL}};
static const member diagram_members[] = {MEMBER(TEXT, ic_cost_diagram, method),
                                         MEMBER(TEXT, ic_cost_diagram, solver),
                                         MEMBER(COUNT, ic_cost_diagram, sets),
                                         MEMBER(COUNT, ic_cost_diagram, periods),
                                         MEMBER(COUNT, ic_cost_diagram, left),
                                         MEMBER(COUNT, ic_cost_diagram, events),
                                         MEMBER(NUMBER, ic_cost_diagram, processor),
                                         MEMBER(NUMBER, ic_cost_diagram, opening),
                                         MEMBER(NUMBER, ic_cost_diagram, one),
                                         MEMBER(NUMBER, ic_cost_diagram, two),
                                         LATER(NUMBER, ic_cost_diagram, floors),
                                         LATER(NUMBER, ic_cost_diagram, floors_low),
                                         LATER(NUMBER, ic_cost_diagram, floors_high),
                                         LATER(NUMBER, ic_cost_diagram, gain),
                                         LATER(NUMBER, ic_cost_diagram, gain_low),
                                         LATER(NUMBER, ic_cost_diagram, gain_high),
                                         {.key = NULL}};
static const member row_members[] = {MEMBER(TEXT, ic_cost_row, subject),
                                     MEMBER(TEXT, ic_cost_row, solver),
                                     LATER(TEXT, ic_cost_row, class),
                                     MEMBER(TEXT, ic_cost_row, control),
                                     MEMBER(NUMBER, ic_cost_row, setting),
                                     MEMBER(WHOLE, ic_cost_row, order),
                                     MEMBER(TEXT, ic_cost_row, status),
                                     MEMBER(TEXT, ic_cost_row, truth),
                                     MEMBER(COUNT, ic_cost_row, events),
                                     MEMBER(NUMBER, ic_cost_row, simulated),
                                     MEMBER(NUMBER, ic_cost_row, error),
                                     MEMBER(NUMBER, ic_cost_row, radius),
                                     MEMBER(NUMBER, ic_cost_row, noise),
                                     LATER(COUNT, ic_cost_row, disturbed),
                                     {.key = NULL}};
static const member load_members[] = {MEMBER(NUMBER, ic_cost_load, before),
                                      MEMBER(NUMBER, ic_cost_load, after),
                                      MEMBER(NUMBER, ic_cost_load, others),
                                      MEMBER(NUMBER, ic_cost_load, stolen),
                                      MEMBER(COUNT, ic_cost_load, timings),
                                      MEMBER(COUNT, ic_cost_load, disturbed),
                                      {.key = NULL}};
static const member pair_members[] = {MEMBER(TEXT, ic_cost_pair, subject),
                                      MEMBER(TEXT, ic_cost_pair, solver),
                                      MEMBER(TEXT, ic_cost_pair, peer),
                                      MEMBER(TEXT, ic_cost_pair, with),
                                      MEMBER(NUMBER, ic_cost_pair, level),
                                      MEMBER(NUMBER, ic_cost_pair, unit),
                                      MEMBER(NUMBER, ic_cost_pair, setting),
                                      MEMBER(NUMBER, ic_cost_pair, error),
                                      MEMBER(NUMBER, ic_cost_pair, seconds),
                                      MEMBER(NUMBER, ic_cost_pair, peer_setting),
                                      MEMBER(NUMBER, ic_cost_pair, peer_error),
                                      MEMBER(NUMBER, ic_cost_pair, peer_seconds),
                                      LATER(COUNT, ic_cost_pair, calls),
                                      LATER(COUNT, ic_cost_pair, peer_calls),
                                      LATER(COUNT, ic_cost_pair, call_seconds),
                                      MEMBER(NUMBER, ic_cost_pair, factor),
                                      MEMBER(NUMBER, ic_cost_pair, low),
                                      MEMBER(NUMBER, ic_cost_pair, high),
                                      MEMBER(COUNT, ic_cost_pair, blocks),
                                      MEMBER(COUNT, ic_cost_pair, disturbed),
                                      {.key = NULL}};
static const member work_members[] = {
    MEMBER(COUNT, ic_work, flow_calls),      MEMBER(COUNT, ic_work, guard_calls),
    MEMBER(COUNT, ic_work, steps),           MEMBER(COUNT, ic_work, rejected_steps),
    MEMBER(COUNT, ic_work, root_iterations), {.key = NULL},
};

/* ---- writing */

static void write_members(ic_json *json, const member *m, const void *object)
{
    for (; m->key != NULL; m++) {
        const void *at = (const char *)object + m->offset;
        if (m->type == TEXT) ic_json_text(json, m->key, at);
        else if (m->type == WHOLE) ic_json_integer(json, m->key, *(const int *)at);
        else {
            const double value = *(const double *)at;
            const bool whole = m->type == COUNT && value == floor(value) && fabs(value) <= MOST_WHOLE;
            if (whole) ic_json_integer(json, m->key, (long long)value);
            else ic_json_number(json, m->key, value);
        }
    }
}

/* An object that is null, unless `measured` is a number. */
static void write_object(ic_json *json, const char *key, const member *members, const void *object,
                         double measured)
{
    if (isnan(measured)) {
        ic_json_null(json, key);
        return;
    }
    ic_json_object_line(json, key);
    write_members(json, members, object);
    ic_json_end(json);
}

static void write_times(ic_json *json, const char *key, const double *values, size_t n)
{
    ic_json_array_line(json, key);
    for (size_t i = 0; i < n; i++) ic_json_number(json, NULL, values[i]);
    ic_json_end(json);
}

static void write_row(ic_json *json, const ic_cost_row *row)
{
    ic_json_object_line(json, NULL);
    write_members(json, row_members, row);
    write_object(json, "work", work_members, &row->work, 0);
    write_times(json, "seconds", row->seconds, row->n_times);
    write_times(json, "relative", row->relative, row->n_times);
    ic_json_end(json);
}

static void write_load(ic_json *json, const ic_cost_results *results)
{
    char verdict[256];
    ic_load_describe(verdict, sizeof verdict, &results->load, results->machine.cores);
    if (verdict[0] == '\0') {
        ic_json_null(json, "load");
        return;
    }
    ic_json_object_line(json, "load");
    write_members(json, load_members, &results->load);
    ic_json_text(json, "verdict", verdict);
    ic_json_end(json);
}

static void write_orders(ic_json *json, const ic_cost_results *results)
{
    ic_json_array(json, "orders");
    for (size_t i = 0; i < results->count; i++) {
        ic_cost_order order;
        if (!ic_cost_order_of(&order, results, i)) continue;
        IC_JSON_ROW(json, NULL, IC_TEXT("subject", order.row->subject), IC_TEXT("solver", order.row->solver),
                    IC_WHOLE("claimed", order.row->order), IC_REAL("shown", order.line.slope),
                    IC_WHOLE("points", order.line.points), IC_REAL("residual", order.line.residual));
    }
    ic_json_end(json);
}

static void write_targets(ic_json *json, const ic_cost_results *results)
{
    ic_json_array(json, "targets");
    for (size_t i = 0; i < IC_TARGETS; i++) {
        const ic_target target = ic_target_of(results, i);
        IC_JSON_ROW(json, NULL, IC_TEXT("name", target.name), IC_TEXT("class", target.class),
                    IC_REAL("ratio", target.ratio), IC_REAL("low", target.low), IC_REAL("high", target.high),
                    IC_REAL("bound", target.bound), IC_TEXT("verdict", ic_target_verdict_text(target.verdict)),
                    IC_TEXT("detail", target.detail));
    }
    ic_json_end(json);
}

bool ic_cost_write(const ic_cost_results *results, FILE *stream)
{
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "schema", IC_COST_SCHEMA);
    write_object(&json, "machine", machine_members, &results->machine, 0);
    ic_json_number(&json, "calibration", results->calibration);
    write_load(&json, results);
    write_object(&json, "overhead", overhead_members, &results->overhead, results->overhead.ratio);
    write_object(&json, "floor", floor_members, &results->floor, results->floor.event);
    write_object(&json, "diagram", diagram_members, &results->diagram, results->diagram.events);
    ic_json_array(&json, "rows");
    for (size_t i = 0; i < results->count; i++) write_row(&json, &results->rows[i]);
    ic_json_end(&json);
    ic_json_array(&json, "pairs");
    for (size_t i = 0; i < results->n_pairs; i++) {
        ic_json_object_line(&json, NULL);
        write_members(&json, pair_members, &results->pairs[i]);
        ic_json_end(&json);
    }
    ic_json_end(&json);
    write_orders(&json, results);
    write_targets(&json, results);
    ic_json_end(&json);
    return ferror(stream) == 0;
}

/* NAN: empty */
static void field(FILE *stream, double value, const char *end)
{
    if (isfinite(value)) ic_csv_number(stream, value);
    fputs(end, stream);
}

void ic_cost_write_csv(const ic_cost_results *results, FILE *stream)
{
    fputs("subject,solver,class,control,setting,events,error,noise,flow_calls,guard_calls,steps,seconds,"
          "per_second,per_event,flow_calls_per_event\n",
          stream);
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        fprintf(stream, "%s,%s,%s,%s,", row->subject, row->solver, row->class, row->control);
        field(stream, row->setting, ",");
        field(stream, row->events, ",");
        field(stream, row->error, ",");
        field(stream, row->noise, ",");
        field(stream, row->work.flow_calls, ",");
        field(stream, row->work.guard_calls, ",");
        field(stream, row->work.steps, ",");
        field(stream, ic_cost_seconds(row), ",");
        field(stream, ic_cost_per_second(row), ",");
        field(stream, ic_cost_per_event(row), ",");
        field(stream, row->work.flow_calls / row->events, "\n");
    }
}

/* ---- reading */

/* Place at which a value is read, for messages: FILE: rows[3].error */
typedef struct json_place {
    const char *path;

    /* NO_ROW: outside the rows */
    size_t row;

    ic_error *error;
} json_place;

#define NO_ROW ((size_t)-1)

static bool report_fault(const json_place *at, const char *key, const char *what)
{
    if (at->row == NO_ROW) ic_error_set(at->error, "%s: \"%s\": %s", at->path, key, what);
    else ic_error_set(at->error, "%s: rows[%zu], \"%s\": %s", at->path, at->row, key, what);
    return false;
}

static bool read_text(char *text, size_t size, const json_t *object, const char *key, const json_place *at)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) return report_fault(at, key, "expected a text");
    if (json_string_length(value) >= size) return report_fault(at, key, "the text is too long");
    snprintf(text, size, "%s", json_string_value(value));
    return true;
}

/* Reads a number that is not negative; null becomes NAN. */
static bool read_number(double *number_, const json_t *object, const char *key, const json_place *at)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) return report_fault(at, key, "it is missing; expected a number or null");
    if (!json_is_number(value) && !json_is_null(value))
        return report_fault(at, key, "expected a number or null");
    *number_ = json_is_null(value) ? NAN : json_number_value(value);
    if (*number_ < 0) return report_fault(at, key, "a measurement cannot be below 0");
    return true;
}

/* Reads a whole number in the range of int. */
static bool read_count(int *number_, const json_t *object, const char *key, const json_place *at)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) return report_fault(at, key, "expected an integer");
    if (json_integer_value(value) < 0 || json_integer_value(value) > INT_MAX)
        return report_fault(at, key, "expected an integer from 0 to 2147483647");
    *number_ = (int)json_integer_value(value);
    return true;
}

static bool read_numbers(double *values, size_t *n, const json_t *object, const char *key, const json_place *at)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array)) return report_fault(at, key, "expected an array of numbers");
    *n = json_array_size(array);
    if (*n > IC_COST_MOST_TIMES) return report_fault(at, key, "there are more than 31 numbers");
    for (size_t i = 0; i < *n; i++) {
        const json_t *value = json_array_get(array, i);
        values[i] = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(values[i] > 0)) return report_fault(at, key, "expected an array of numbers above 0");
    }
    return true;
}

static bool read_members(void *object, const member *m, const json_t *json, const json_place *at)
{
    for (; m->key != NULL; m++) {
        void *to = (char *)object + m->offset;
        if (m->later && json_object_get(json, m->key) == NULL) continue;
        const bool good = m->type == TEXT    ? read_text(to, m->size, json, m->key, at)
                          : m->type == WHOLE ? read_count(to, json, m->key, at)
                                             : read_number(to, json, m->key, at);
        if (!good) return false;
    }
    return true;
}

/* Whether a member may be null (not measured), or also missing (in older files). */
typedef enum presence { REQUIRED, NULLABLE, OPTIONAL } presence;

static bool read_object(void *object, const char *key, presence presence, const member *members,
                        const json_t *root, const json_place *at)
{
    const json_t *json = json_object_get(root, key);
    if ((json == NULL && presence == OPTIONAL) || (json_is_null(json) && presence != REQUIRED)) return true;
    if (json_is_object(json)) return read_members(object, members, json, at);
    return report_fault(at, key, presence == REQUIRED ? "expected an object" : "expected an object or null");
}

static bool read_row(ic_cost_row *row, const json_t *object, const json_place *at)
{
    size_t n_relative = 0;
    if (!json_is_object(object)) return report_fault(at, "", "expected an object");
    if (!read_members(row, row_members, object, at) ||
        !read_object(&row->work, "work", REQUIRED, work_members, object, at) ||
        !read_numbers(row->seconds, &row->n_times, object, "seconds", at) ||
        !read_numbers(row->relative, &n_relative, object, "relative", at)) {
        return false;
    }
    return n_relative == row->n_times ||
           report_fault(at, "relative", "it must have as many numbers as \"seconds\"");
}

static bool read_rows(ic_cost_results *results, const json_t *root, json_place *at)
{
    const json_t *rows = json_object_get(root, "rows");
    if (!json_is_array(rows)) return report_fault(at, "rows", "expected an array");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        ic_cost_row *row = ic_cost_results_add(results);
        at->row = i;
        if (row == NULL) return report_fault(at, "rows", "memory ran out");
        if (!read_row(row, json_array_get(rows, i), at)) return false;
        results->count--; /* without the row itself */
        const bool again = ic_cost_find(results, row) != NULL;
        results->count++;
        if (again)
            return report_fault(at, "setting", "an earlier row has the same subject, solver and setting");
    }
    return true;
}

static bool read_pairs(ic_cost_results *results, const json_t *root, json_place *at)
{
    const json_t *pairs = json_object_get(root, "pairs");
    if (pairs == NULL) return true;
    at->row = NO_ROW;
    if (!json_is_array(pairs)) return report_fault(at, "pairs", "expected an array");
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *object = json_array_get(pairs, i);
        ic_cost_pair pair = {.level = NAN};
        if (!json_is_object(object)) return report_fault(at, "pairs", "expected an object");
        if (!read_members(&pair, pair_members, object, at)) return false;
        if (!ic_cost_add_pair(results, &pair)) return report_fault(at, "pairs", "memory ran out");
    }
    return true;
}

static bool read_results(ic_cost_results *results, const json_t *root, json_place *at)
{
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_string(schema))
        return report_fault(at, "schema", "\"" IC_COST_SCHEMA "\" is expected: this is not a file of results");
    if (strcmp(json_string_value(schema), IC_COST_SCHEMA) != 0) {
        ic_error_set(at->error, "%s: \"schema\" is \"%.60s\"; \"" IC_COST_SCHEMA "\" is expected", at->path,
                     json_string_value(schema));
        return false;
    }
    return read_object(&results->machine, "machine", REQUIRED, machine_members, root, at) &&
           read_number(&results->calibration, root, "calibration", at) &&
           read_object(&results->load, "load", OPTIONAL, load_members, root, at) &&
           read_object(&results->overhead, "overhead", NULLABLE, overhead_members, root, at) &&
           read_object(&results->floor, "floor", OPTIONAL, floor_members, root, at) &&
           read_object(&results->diagram, "diagram", OPTIONAL, diagram_members, root, at) &&
           read_rows(results, root, at) && read_pairs(results, root, at);
}

bool ic_cost_read_stream(ic_cost_results *results, FILE *stream, const char *path, ic_error *error)
{
    json_error_t said;
    json_place at = {path, NO_ROW, error};
    *results = ic_cost_results_new();
    json_t *root = json_loadf(stream, JSON_REJECT_DUPLICATES, &said);
    if (root == NULL) {
        ic_error_set(error, "%s:%d:%d: %s", path, said.line > 0 ? said.line : 1,
                     said.column > 0 ? said.column : 1, said.text);
        return false;
    }
    const bool good = read_results(results, root, &at);
    json_decref(root);
    return good;
}

bool ic_cost_read(ic_cost_results *results, const char *path, ic_error *error)
{
    FILE *stream = ic_input_file_open(path, error);
    if (stream == NULL) {
        *results = ic_cost_results_new();
        return false;
    }
    const bool good = ic_cost_read_stream(results, stream, path, error);
    fclose(stream);
    return good;
}
