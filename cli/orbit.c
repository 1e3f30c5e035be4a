/* SPDX-License-Identifier: MIT */
#include "cli/orbit.h"
#include "cli/result.h"
#include "cli/table.h"
#include "core/linear_view.h"
#include "reference/certify.h"
#include "reference/orbit.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "validation/studies/steady.h"

#include <stdio.h>
#include <stdlib.h>

enum { INDENT = 2, MULTIPLIER_DIGITS = 12 };

typedef struct shown {
    const cli_request *request;
    const ic_steady *steady;
    const ic_orbit *orbit;
    long digits;
    bool out_of_memory;
} shown;

/* A ball as two texts, handed to `use`. */
static void with_decimal(shown *s, const arb_t ball, long digits,
                         void (*use)(void *, const char *, const char *), void *context)
{
    char *value = NULL, *radius = NULL;
    if (ic_ball_decimal(&value, &radius, ball, digits)) use(context, value, radius);
    else s->out_of_memory = true;
    free(value);
    free(radius);
}

/* ---- JSON */

static void json_pair(void *context, const char *value, const char *radius)
{
    ic_json *json = context;
    ic_json_text(json, "value", value);
    ic_json_text(json, "radius", radius);
}

static void json_ball(ic_json *json, const char *key, shown *s, const arb_t ball, long digits)
{
    ic_json_object_line(json, key);
    with_decimal(s, ball, digits, json_pair, json);
    ic_json_end(json);
}

static void json_multipliers(ic_json *json, shown *s)
{
    if (s->orbit->multipliers == NULL) {
        ic_json_null(json, "multipliers");
        return;
    }
    ic_json_array(json, "multipliers");
    for (slong i = 0; i < s->orbit->n; i++) {
        ic_json_object(json, NULL);
        json_ball(json, "re", s, acb_realref(s->orbit->multipliers + i), MULTIPLIER_DIGITS);
        json_ball(json, "im", s, acb_imagref(s->orbit->multipliers + i), MULTIPLIER_DIGITS);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void print_json(shown *s)
{
    const ic_problem *problem = &s->request->setup.problem;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "case", problem->system->name);
    ic_json_text(&json, "preset", s->request->setup.preset->name);
    ic_json_text(&json, "status", ic_status_name(s->orbit->status));
    ic_json_number(&json, "period", s->steady->period);
    ic_json_integer(&json, "multiple", s->orbit->multiple);
    ic_json_bool(&json, "smallest", s->orbit->minimal);
    ic_json_bool(&json, "stable", s->orbit->stable);
    ic_json_integer(&json, "events", (long long)s->orbit->events);
    ic_json_text(&json, "mode", cli_mode_name(problem, s->orbit->mode));
    ic_json_object(&json, "state");
    for (slong i = 0; i < s->orbit->n; i++) {
        json_ball(&json, problem->system->states[i].name, s, s->orbit->x + i, s->digits);
    }
    ic_json_end(&json);
    json_ball(&json, "largest_multiplier", s, s->orbit->radius, MULTIPLIER_DIGITS);
    json_multipliers(&json, s);
    ic_json_end(&json);
}

/* ---- tables */

static void cell_pair(void *context, const char *value, const char *radius)
{
    char text[64];
    cli_table_cell(context, value);
    snprintf(text, sizeof text, "± %.40s", radius);
    cli_table_cell(context, text);
}

static bool print_states(shown *s)
{
    static const cli_column columns[] = {
        {"state", CLI_LEFT}, {"value", CLI_POINT}, {"radius", CLI_LEFT}, {"unit", CLI_LEFT}};
    const ic_case *system = s->request->setup.problem.system;
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    for (slong i = 0; i < s->orbit->n; i++) {
        cli_table_cell(table, system->states[i].name);
        with_decimal(s, s->orbit->x + i, s->digits, cell_pair, table);
        cli_table_cell(table, system->states[i].unit);
    }
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good && !s->out_of_memory;
}

static bool print_multipliers(shown *s)
{
    static const cli_column columns[] = {
        {"real part", CLI_POINT}, {"radius", CLI_LEFT}, {"imaginary part", CLI_POINT}, {"radius", CLI_LEFT}};
    if (s->orbit->multipliers == NULL) return true;
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    printf("\nMultipliers of the period map%s\n",
           s->orbit->stable ? ": all inside the unit circle, stable" : "");
    for (slong i = 0; i < s->orbit->n; i++) {
        with_decimal(s, acb_realref(s->orbit->multipliers + i), MULTIPLIER_DIGITS, cell_pair, table);
        with_decimal(s, acb_imagref(s->orbit->multipliers + i), MULTIPLIER_DIGITS, cell_pair, table);
    }
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good && !s->out_of_memory;
}

static bool print_tables(shown *s)
{
    const ic_problem *problem = &s->request->setup.problem;
    if (!cli_request_print(s->request, "by", "Krawczyk's operator on the period map, in ball arithmetic"))
        return false;
    printf("\nPeriodic orbit: exists and is locally unique; period %d x %.9g s%s; %zu events in it\n",
           s->orbit->multiple, s->steady->period, s->orbit->minimal ? ", the smallest" : "", s->orbit->events);
    printf("\nState at t = 0 modulo the period, mode %s\n", cli_mode_name(problem, s->orbit->mode));
    return print_states(s) && print_multipliers(s);
}

/* ---- the proof */

static int prove(const cli_arguments *arguments, const cli_request *request, const ic_steady *steady,
                 long digits, bool json, bool quiet)
{
    ic_orbit orbit;
    bool good = true;
    ic_orbit_certify(&orbit, &request->setup.problem, steady->x, steady->mode, steady->multiple, digits);
    shown s = {.request = request, .steady = steady, .orbit = &orbit, .digits = digits};
    const ic_status status = orbit.status;
    if (json) print_json(&s);
    else if (!quiet && status == IC_OK) good = print_tables(&s);
    fflush(stdout);
    int exit_status = CLI_GOOD;
    if (!good || s.out_of_memory) exit_status = cli_no_memory(arguments->command);
    else if (status != IC_OK) {
        cli_failure(arguments->command, "the orbit is not proved: %s", orbit.reason);
        exit_status = CLI_CHECK_FAILED;
    }
    ic_orbit_clear(&orbit);
    flint_cleanup();
    return exit_status;
}

int cli_orbit(const cli_arguments *arguments, const cli_request *request, long digits, bool json, bool quiet)
{
    const ic_problem *problem = &request->setup.problem;
    ic_steady steady;
    if (problem->system->period == NULL) {
        return cli_bad_input(arguments->command, "case '%s' is not forced: it has no periodic orbit to find",
                             problem->system->name);
    }
    const ic_status status = ic_steady_find(&steady, problem, ic_accurate_solver(problem->variant),
                                            &(ic_options){.rtol = 1e-11}, IC_STEADY_TRANSIENT);
    if (status != IC_OK) return cli_failure(arguments->command, "no steady state: %s", ic_status_text(status));
    if (steady.multiple == 0) {
        cli_failure(arguments->command,
                    "no stable periodic orbit of up to %d periods was found from this start",
                    IC_STEADY_MOST_PERIODS);
        return CLI_CHECK_FAILED;
    }
    return prove(arguments, request, &steady, digits, json, quiet);
}
