/* SPDX-License-Identifier: MIT */
#include "cli/orbit.h"
#include "cli/result.h"
#include "core/linear_view.h"
#include "reference/certify.h"
#include "reference/orbit.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "validation/steady.h"

#include <stdio.h>

enum { INDENT = 2, MULTIPLIER_DIGITS = 12 };

typedef struct shown_orbit {
    const cli_instance *instance;
    const ic_steady *steady;
    const ic_orbit *orbit;
    long digits;
    bool out_of_memory;
} shown_orbit;

/* ---- JSON */

static void json_ball(ic_json *json, const char *key, shown_orbit *s, arb_srcptr ball, long digits)
{
    cli_quantity quantity = cli_quantity_of(key, ball, digits);
    s->out_of_memory |= quantity.value == NULL;
    cli_quantity_json(json, key, &quantity);
    cli_quantity_free(&quantity);
}

static void json_multipliers(ic_json *json, shown_orbit *s)
{
    if (s->orbit->multipliers == NULL) {
        ic_json_null(json, "multipliers");
        return;
    }
    ic_json_array(json, "multipliers");
    for (slong i = 0; i < s->orbit->m; i++) {
        ic_json_object(json, NULL);
        json_ball(json, "re", s, acb_realref(s->orbit->multipliers + i), MULTIPLIER_DIGITS);
        json_ball(json, "im", s, acb_imagref(s->orbit->multipliers + i), MULTIPLIER_DIGITS);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void print_json(shown_orbit *s)
{
    const ic_problem *problem = &s->instance->setup.problem;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    IC_JSON_TEXTS(&json, {"case", problem->system->name}, {"preset", s->instance->setup.preset->name},
                  {"status", ic_status_name(s->orbit->status)});
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

static void add_ball(cli_table *table, shown_orbit *s, arb_srcptr ball, long digits)
{
    cli_quantity quantity = cli_quantity_of("", ball, digits);
    s->out_of_memory |= quantity.value == NULL;
    cli_quantity_cells(table, &quantity);
    cli_quantity_free(&quantity);
}

static bool print_states(shown_orbit *s)
{
    const ic_case *system = s->instance->setup.problem.system;
    cli_table *table = cli_table_of("state|value.|radius|unit");
    for (slong i = 0; i < s->orbit->n; i++) {
        cli_table_cell(table, system->states[i].name);
        add_ball(table, s, s->orbit->x + i, s->digits);
        cli_table_cell(table, system->states[i].unit);
    }
    return cli_table_finish(table, INDENT, true) && !s->out_of_memory;
}

static bool print_multipliers(shown_orbit *s)
{
    if (s->orbit->multipliers == NULL) return true;
    cli_table *table = cli_table_of("real part.|radius|imaginary part.|radius");
    printf("\nMultipliers of the period map%s\n",
           s->orbit->stable ? ": all inside the unit circle, stable" : "");
    for (slong i = 0; i < s->orbit->m; i++) {
        add_ball(table, s, acb_realref(s->orbit->multipliers + i), MULTIPLIER_DIGITS);
        add_ball(table, s, acb_imagref(s->orbit->multipliers + i), MULTIPLIER_DIGITS);
    }
    return cli_table_finish(table, INDENT, true) && !s->out_of_memory;
}

static bool print_tables(shown_orbit *s)
{
    const ic_problem *problem = &s->instance->setup.problem;
    if (!cli_instance_print(s->instance, "by", "Krawczyk's operator on the period map, in ball arithmetic"))
        return false;
    printf("\nPeriodic orbit: exists and is locally unique; period %d x %.9g s%s; %zu events in it\n",
           s->orbit->multiple, s->steady->period, s->orbit->minimal ? ", the smallest" : "", s->orbit->events);
    printf("\nState at t = 0 modulo the period, mode %s\n", cli_mode_name(problem, s->orbit->mode));
    return print_states(s) && print_multipliers(s);
}

/* ---- the proof */

static int prove_orbit(const cli_arguments *arguments, const cli_instance *instance, const ic_steady *steady,
                       const cli_certified_format *format)
{
    ic_orbit orbit;
    bool good = true;
    const ic_orbit_request request = {
        .x = steady->x, .mode = steady->mode, .multiple = steady->multiple, .digits = format->digits};
    ic_setup exact;
    ic_error error;
    if (!ic_setup_exact(&exact, &instance->setup.problem, &error))
        return cli_bad_input(arguments->command, "%s: its orbits cannot be certified", error.text);
    ic_orbit_certify(&orbit, &exact.problem, &request);
    ic_setup_close(&exact);
    shown_orbit s = {.instance = instance, .steady = steady, .orbit = &orbit, .digits = format->digits};
    const ic_status status = orbit.status;
    if (format->json) print_json(&s);
    else if (!format->quiet && status == IC_OK) good = print_tables(&s);
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

int cli_orbit(const cli_arguments *arguments, const cli_instance *instance, const cli_certified_format *format)
{
    const ic_problem *problem = &instance->setup.problem;
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
    return prove_orbit(arguments, instance, &steady, format);
}
