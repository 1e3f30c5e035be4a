/* SPDX-License-Identifier: MIT */
/* The file of results: written a row a line, read with what is wrong told by its place. */
#include "bench/cost.h"
#include "bench/diagram.h"
#include "bench/floor.h"
#include "bench/orders.h"
#include "bench/statistics.h"
#include "bench/targets.h"
#include "core/input_file.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define WHOLE_MOST 9007199254740992.0 /* 2^53 */

/* ---- writing */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Whole numbers without a point, as far as doubles hold all of them. */
static json_t *count(double value)
{
    const bool whole = value == floor(value) && fabs(value) <= WHOLE_MOST;
    return whole ? json_integer((json_int_t)value) : number(value);
}

static json_t *numbers(const double *values, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, number(values[i]));
    return array;
}

static json_t *work_json(const ic_work *work)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "flow_calls", count(work->flow_calls), "guard_calls",
                     count(work->guard_calls), "steps", count(work->steps), "rejected_steps",
                     count(work->rejected_steps), "root_iterations", count(work->root_iterations));
}

static json_t *row_json(const ic_cost_row *row)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "subject",
                     row->subject, "solver", row->solver, "control", row->control, "setting",
                     number(row->setting), "order", row->order, "status", row->status, "truth", row->truth,
                     "events", count(row->events), "simulated", number(row->simulated), "error",
                     number(row->error), "radius", number(row->radius), "noise", number(row->noise), "work",
                     work_json(&row->work), "seconds", numbers(row->seconds, row->n_times), "relative",
                     numbers(row->relative, row->n_times));
}

/* Writes "  KEY: VALUE" and what follows; the value is released. */
static bool write_member(FILE *stream, const char *lead, json_t *value, const char *end)
{
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;
    const bool good = value != NULL && fputs(lead, stream) != EOF && json_dumpf(value, stream, flags) == 0 &&
                      fputs(end, stream) != EOF;
    json_decref(value);
    return good;
}

static json_t *machine_json(const ic_cost_machine *m)
{
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s}", "cpu", m->cpu, "cores", m->cores, "compiler",
                     m->compiler, "flags", m->flags, "version", m->version, "commit", m->commit, "date",
                     m->date, "arithmetic", m->arithmetic);
}

static json_t *overhead_json(const ic_cost_overhead *overhead)
{
    if (isnan(overhead->ratio)) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "by_hand", number(overhead->by_hand), "registry",
                     number(overhead->registry), "solver", number(overhead->solver), "ratio",
                     number(overhead->ratio));
}

static json_t *floor_json(const ic_cost_floor *floor)
{
    if (isnan(floor->event)) return json_null();
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "vectors", floor->vectors, "width", floor->width, "exp",
                     number(floor->exp), "sin", number(floor->sin), "cos", number(floor->cos), "event",
                     number(floor->event));
}

static json_t *diagram_json(const ic_cost_diagram *d)
{
    if (isnan(d->events)) return json_null();
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "engine", d->engine, "solver",
                     d->solver, "sets", count(d->sets), "periods", count(d->periods), "left", count(d->left),
                     "events", count(d->events), "processor", number(d->processor), "opening",
                     number(d->opening), "one", number(d->one), "two", number(d->two));
}

static bool write_orders(const ic_cost_results *results, FILE *stream)
{
    bool good = true;
    size_t written = 0;
    for (size_t i = 0; i < results->count && good; i++) {
        ic_cost_order order;
        if (!ic_cost_order_of(&order, results, i)) continue;
        good = write_member(stream, written++ == 0 ? "\n    " : ",\n    ",
                            json_pack("{s:s, s:s, s:i, s:o, s:i, s:o}", "subject", order.row->subject, "solver",
                                      order.row->solver, "claimed", order.row->order, "shown",
                                      number(order.line.slope), "points", (int)order.line.points, "residual",
                                      number(order.line.residual)),
                            "");
    }
    return good;
}

static bool write_targets(const ic_cost_results *results, FILE *stream)
{
    bool good = true;
    for (size_t i = 0; i < IC_TARGETS && good; i++) {
        const ic_target target = ic_target_of(results, i);
        good = write_member(stream, i == 0 ? "\n    " : ",\n    ",
                            json_pack("{s:s, s:o, s:o, s:s, s:s}", "name", target.name, "ratio",
                                      number(target.ratio), "bound", number(target.bound), "verdict",
                                      ic_target_verdict_text(target.verdict), "detail", target.detail),
                            "");
    }
    return good;
}

bool ic_cost_write(const ic_cost_results *results, FILE *stream)
{
    bool good = fputs("{\n", stream) != EOF &&
                write_member(stream, "  \"schema\": ", json_string(IC_COST_SCHEMA), ",\n") &&
                write_member(stream, "  \"machine\": ", machine_json(&results->machine), ",\n") &&
                write_member(stream, "  \"calibration\": ", number(results->calibration), ",\n") &&
                write_member(stream, "  \"overhead\": ", overhead_json(&results->overhead), ",\n") &&
                write_member(stream, "  \"floor\": ", floor_json(&results->floor), ",\n") &&
                write_member(stream, "  \"diagram\": ", diagram_json(&results->diagram), ",\n") &&
                fputs("  \"rows\": [", stream) != EOF;
    for (size_t i = 0; i < results->count && good; i++) {
        good = write_member(stream, i == 0 ? "\n    " : ",\n    ", row_json(&results->rows[i]), "");
    }
    good = good && fputs("\n  ],\n  \"orders\": [", stream) != EOF && write_orders(results, stream) &&
           fputs("\n  ],\n  \"targets\": [", stream) != EOF && write_targets(results, stream) &&
           fputs("\n  ]\n}\n", stream) != EOF;
    return good;
}

/* 17 digits read back as the same double; NAN: empty */
static void field(FILE *stream, double value, const char *end)
{
    if (isfinite(value)) fprintf(stream, "%.17g", value);
    fputs(end, stream);
}

void ic_cost_write_csv(const ic_cost_results *results, FILE *stream)
{
    fputs("subject,solver,control,setting,events,error,noise,flow_calls,guard_calls,steps,seconds,"
          "per_second,per_event,flow_calls_per_event\n",
          stream);
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        fprintf(stream, "%s,%s,%s,", row->subject, row->solver, row->control);
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

/* Where a value is looked for, to say what is wrong: FILE: rows[3].error */
typedef struct place {
    const char *path;
    size_t row; /* NO_ROW: outside the rows */
    ic_error *error;
} place;

#define NO_ROW ((size_t)-1)

static bool wrong(const place *at, const char *key, const char *what)
{
    if (at->row == NO_ROW) ic_error_set(at->error, "%s: \"%s\": %s", at->path, key, what);
    else ic_error_set(at->error, "%s: rows[%zu], \"%s\": %s", at->path, at->row, key, what);
    return false;
}

static bool take_text(char *text, size_t size, const json_t *object, const char *key, const place *at)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) return wrong(at, key, "a text is expected");
    if (json_string_length(value) >= size) return wrong(at, key, "the text is too long");
    snprintf(text, size, "%s", json_string_value(value));
    return true;
}

/* A number that is not negative, or null: NAN. */
static bool take_number(double *number_, const json_t *object, const char *key, const place *at)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) return wrong(at, key, "it is missing; a number or null is expected");
    if (!json_is_number(value) && !json_is_null(value)) return wrong(at, key, "a number or null is expected");
    *number_ = json_is_null(value) ? NAN : json_number_value(value);
    if (*number_ < 0) return wrong(at, key, "a number below 0 is none of a measurement");
    return true;
}

/* A whole number that an int holds. */
static bool take_whole(int *number_, const json_t *object, const char *key, const place *at)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) return wrong(at, key, "a whole number is expected");
    if (json_integer_value(value) < 0 || json_integer_value(value) > INT_MAX)
        return wrong(at, key, "a whole number from 0 to 2147483647 is expected");
    *number_ = (int)json_integer_value(value);
    return true;
}

static bool take_numbers(double *values, size_t *n, const json_t *object, const char *key, const place *at)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array)) return wrong(at, key, "an array of numbers is expected");
    *n = json_array_size(array);
    if (*n > IC_COST_MOST_TIMES) return wrong(at, key, "there are more than 31 numbers");
    for (size_t i = 0; i < *n; i++) {
        const json_t *value = json_array_get(array, i);
        values[i] = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(values[i] > 0)) return wrong(at, key, "an array of numbers above 0 is expected");
    }
    return true;
}

static bool take_work(ic_work *work, const json_t *object, const place *at)
{
    const json_t *value = json_object_get(object, "work");
    if (!json_is_object(value)) return wrong(at, "work", "an object is expected");
    return take_number(&work->flow_calls, value, "flow_calls", at) &&
           take_number(&work->guard_calls, value, "guard_calls", at) &&
           take_number(&work->steps, value, "steps", at) &&
           take_number(&work->rejected_steps, value, "rejected_steps", at) &&
           take_number(&work->root_iterations, value, "root_iterations", at);
}

static bool take_row(ic_cost_row *row, const json_t *object, const place *at)
{
    size_t n_relative = 0;
    if (!json_is_object(object)) return wrong(at, "", "an object is expected");
    if (!take_whole(&row->order, object, "order", at) ||
        !take_text(row->subject, sizeof row->subject, object, "subject", at) ||
        !take_text(row->solver, sizeof row->solver, object, "solver", at) ||
        !take_text(row->control, sizeof row->control, object, "control", at) ||
        !take_text(row->status, sizeof row->status, object, "status", at) ||
        !take_text(row->truth, sizeof row->truth, object, "truth", at) ||
        !take_number(&row->setting, object, "setting", at) ||
        !take_number(&row->events, object, "events", at) ||
        !take_number(&row->simulated, object, "simulated", at) ||
        !take_number(&row->error, object, "error", at) || !take_number(&row->radius, object, "radius", at) ||
        !take_number(&row->noise, object, "noise", at) || !take_work(&row->work, object, at) ||
        !take_numbers(row->seconds, &row->n_times, object, "seconds", at) ||
        !take_numbers(row->relative, &n_relative, object, "relative", at)) {
        return false;
    }
    return n_relative == row->n_times || wrong(at, "relative", "it has not as many numbers as \"seconds\"");
}

static bool take_machine(ic_cost_machine *machine, const json_t *root, const place *at)
{
    const json_t *object = json_object_get(root, "machine");
    if (!json_is_object(object)) return wrong(at, "machine", "an object is expected");
    return take_whole(&machine->cores, object, "cores", at) &&
           take_text(machine->cpu, sizeof machine->cpu, object, "cpu", at) &&
           take_text(machine->compiler, sizeof machine->compiler, object, "compiler", at) &&
           take_text(machine->flags, sizeof machine->flags, object, "flags", at) &&
           take_text(machine->version, sizeof machine->version, object, "version", at) &&
           take_text(machine->commit, sizeof machine->commit, object, "commit", at) &&
           take_text(machine->date, sizeof machine->date, object, "date", at) &&
           take_text(machine->arithmetic, sizeof machine->arithmetic, object, "arithmetic", at);
}

static bool take_overhead(ic_cost_overhead *overhead, const json_t *root, const place *at)
{
    const json_t *object = json_object_get(root, "overhead");
    *overhead = (ic_cost_overhead){NAN, NAN, NAN, NAN};
    if (json_is_null(object)) return true;
    if (!json_is_object(object)) return wrong(at, "overhead", "an object or null is expected");
    return take_number(&overhead->by_hand, object, "by_hand", at) &&
           take_number(&overhead->registry, object, "registry", at) &&
           take_number(&overhead->solver, object, "solver", at) &&
           take_number(&overhead->ratio, object, "ratio", at);
}

/* What older files do not have was not measured. */
static bool take_floor(ic_cost_floor *floor, const json_t *root, const place *at)
{
    const json_t *object = json_object_get(root, "floor");
    *floor = IC_FLOOR_NONE;
    if (object == NULL || json_is_null(object)) return true;
    if (!json_is_object(object)) return wrong(at, "floor", "an object or null is expected");
    return take_whole(&floor->width, object, "width", at) &&
           take_text(floor->vectors, sizeof floor->vectors, object, "vectors", at) &&
           take_number(&floor->exp, object, "exp", at) && take_number(&floor->sin, object, "sin", at) &&
           take_number(&floor->cos, object, "cos", at) && take_number(&floor->event, object, "event", at);
}

static bool take_diagram(ic_cost_diagram *d, const json_t *root, const place *at)
{
    const json_t *object = json_object_get(root, "diagram");
    *d = ic_diagram_none;
    if (object == NULL || json_is_null(object)) return true;
    if (!json_is_object(object)) return wrong(at, "diagram", "an object or null is expected");
    return take_text(d->engine, sizeof d->engine, object, "engine", at) &&
           take_text(d->solver, sizeof d->solver, object, "solver", at) &&
           take_number(&d->sets, object, "sets", at) && take_number(&d->periods, object, "periods", at) &&
           take_number(&d->left, object, "left", at) && take_number(&d->events, object, "events", at) &&
           take_number(&d->processor, object, "processor", at) &&
           take_number(&d->opening, object, "opening", at) && take_number(&d->one, object, "one", at) &&
           take_number(&d->two, object, "two", at);
}

static bool take_rows(ic_cost_results *results, const json_t *root, place *at)
{
    const json_t *rows = json_object_get(root, "rows");
    if (!json_is_array(rows)) return wrong(at, "rows", "an array is expected");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        ic_cost_row *row = ic_cost_results_add(results);
        at->row = i;
        if (row == NULL) return wrong(at, "rows", "memory ran out");
        if (!take_row(row, json_array_get(rows, i), at)) return false;
        results->count--; /* not itself */
        const bool again = ic_cost_find(results, row) != NULL;
        results->count++;
        if (again) return wrong(at, "setting", "a row of this subject, solver and setting was there before");
    }
    return true;
}

static bool take_all(ic_cost_results *results, const json_t *root, place *at)
{
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_string(schema))
        return wrong(at, "schema", "\"" IC_COST_SCHEMA "\" is expected: this is no file of results");
    if (strcmp(json_string_value(schema), IC_COST_SCHEMA) != 0) {
        ic_error_set(at->error, "%s: \"schema\" is \"%.60s\"; \"" IC_COST_SCHEMA "\" is expected", at->path,
                     json_string_value(schema));
        return false;
    }
    return take_machine(&results->machine, root, at) &&
           take_number(&results->calibration, root, "calibration", at) &&
           take_overhead(&results->overhead, root, at) && take_floor(&results->floor, root, at) &&
           take_diagram(&results->diagram, root, at) && take_rows(results, root, at);
}

bool ic_cost_read_stream(ic_cost_results *results, FILE *stream, const char *path, ic_error *error)
{
    json_error_t said;
    place at = {path, NO_ROW, error};
    *results = ic_cost_results_new();
    json_t *root = json_loadf(stream, JSON_REJECT_DUPLICATES, &said);
    if (root == NULL) {
        ic_error_set(error, "%s:%d:%d: %s", path, said.line > 0 ? said.line : 1,
                     said.column > 0 ? said.column : 1, said.text);
        return false;
    }
    const bool good = take_all(results, root, &at);
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
