/* SPDX-License-Identifier: MIT */
#include "cli/orbit.h"
#include "cli/result.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "validation/cycle.h"
#include "validation/steady.h"

#include <stdio.h>

enum { INDENT = 2, MULTIPLIER_DIGITS = 12 };

/* ---- JSON */

static void json_multipliers(ic_json *json, cli_shown_orbit *s)
{
    if (s->orbit->multipliers == NULL) {
        ic_json_null(json, "multipliers");
        return;
    }
    ic_json_array(json, "multipliers");
    for (slong i = 0; i < s->orbit->m; i++) {
        ic_json_object(json, NULL);
        cli_ball_show(json, NULL, "re", acb_realref(s->orbit->multipliers + i), MULTIPLIER_DIGITS,
                      &s->out_of_memory);
        cli_ball_show(json, NULL, "im", acb_imagref(s->orbit->multipliers + i), MULTIPLIER_DIGITS,
                      &s->out_of_memory);
        ic_json_end(json);
    }
    ic_json_end(json);
}

void cli_orbit_json(ic_json *json, cli_shown_orbit *s)
{
    const ic_problem *problem = &s->instance->setup.problem;
    ic_json_text(json, "status", ic_status_name(s->orbit->status));
    if (s->event == NULL) ic_json_number(json, "period", s->forcing);
    else ic_json_text(json, "after", s->event);
    ic_json_integer(json, "multiple", s->orbit->multiple);
    ic_json_bool(json, "smallest", s->orbit->minimal);
    if (s->orbit->smaller > 0) ic_json_integer(json, "smaller_multiple", s->orbit->smaller);
    else ic_json_null(json, "smaller_multiple");
    ic_json_bool(json, "stable", s->orbit->stable);
    ic_json_bool(json, "unstable", s->orbit->unstable);
    ic_json_integer(json, "events", (long long)s->orbit->events);
    ic_json_text(json, "mode", cli_mode_name(problem, s->orbit->mode));
    if (s->event != NULL) cli_ball_show(json, NULL, "time", s->orbit->period, s->digits, &s->out_of_memory);
    ic_json_object(json, "state");
    for (slong i = 0; i < s->orbit->n; i++) {
        cli_ball_show(json, NULL, problem->system->states[i].name, s->orbit->x + i, s->digits,
                      &s->out_of_memory);
    }
    ic_json_end(json);
    cli_ball_show(json, NULL, "largest_multiplier", s->orbit->radius, MULTIPLIER_DIGITS, &s->out_of_memory);
    json_multipliers(json, s);
}

/* An orbit; or, where none is proved, the reason alone. */
static void print_json(const cli_instance *instance, cli_shown_orbit *s, ic_status status, const char *reason)
{
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    IC_JSON_TEXTS(&json, {"case", instance->setup.problem.system->name},
                  {"preset", instance->setup.preset->name});
    if (status == IC_OK) cli_orbit_json(&json, s);
    else IC_JSON_TEXTS(&json, {"status", ic_status_name(status)}, {"reason", reason});
    ic_json_end(&json);
}

/* ---- tables */

static bool print_states(cli_shown_orbit *s)
{
    const ic_case *system = s->instance->setup.problem.system;
    cli_table *table = cli_table_of("state|value.|radius|unit");
    if (s->event != NULL) {
        cli_table_cell(table, "period");
        cli_ball_show(NULL, table, "", s->orbit->period, s->digits, &s->out_of_memory);
        cli_table_cell(table, "s");
    }
    for (slong i = 0; i < s->orbit->n; i++) {
        cli_table_cell(table, system->states[i].name);
        cli_ball_show(NULL, table, "", s->orbit->x + i, s->digits, &s->out_of_memory);
        cli_table_cell(table, system->states[i].unit);
    }
    return cli_table_finish(table, INDENT, true) && !s->out_of_memory;
}

static bool print_multipliers(cli_shown_orbit *s)
{
    if (s->orbit->multipliers == NULL) {
        printf("\nMultipliers of the return map: not separated%s\n",
               s->orbit->stable ? "; all inside the unit circle, stable" : "");
        return true;
    }
    cli_table *table = cli_table_of("real part.|radius|imaginary part.|radius");
    printf("\nMultipliers of the return map%s\n", s->orbit->stable ? ": all inside the unit circle, stable"
                                                  : s->orbit->unstable
                                                      ? ": one outside the unit circle, unstable"
                                                      : "");
    for (slong i = 0; i < s->orbit->m; i++) {
        cli_ball_show(NULL, table, "", acb_realref(s->orbit->multipliers + i), MULTIPLIER_DIGITS,
                      &s->out_of_memory);
        cli_ball_show(NULL, table, "", acb_imagref(s->orbit->multipliers + i), MULTIPLIER_DIGITS,
                      &s->out_of_memory);
    }
    return cli_table_finish(table, INDENT, true) && !s->out_of_memory;
}

static void print_statement(const cli_shown_orbit *s)
{
    const ic_orbit *orbit = s->orbit;
    const ic_problem *problem = &s->instance->setup.problem;
    printf("\nPeriodic orbit: exists and is locally unique; period ");
    if (s->event == NULL) printf("%d x %.9g s", orbit->multiple, s->forcing);
    else
        printf("%.9g s, %d x '%s'", arf_get_d(arb_midref(orbit->period), ARF_RND_NEAR), orbit->multiple,
               s->event);
    if (orbit->minimal) printf(", the smallest");
    if (orbit->smaller > 0) printf(", which is not the smallest: %d is one", orbit->smaller);
    printf("; %zu events in it\n", orbit->events);
    printf("No other one within %.0e typical states\n", orbit->alone_within);
    if (s->event == NULL)
        printf("\nState at t = 0 modulo the period, mode %s\n", cli_mode_name(problem, orbit->mode));
    else printf("\nState after '%s', and the period, mode %s\n", s->event, cli_mode_name(problem, orbit->mode));
}

bool cli_orbit_print(cli_shown_orbit *s)
{
    print_statement(s);
    return print_states(s) && print_multipliers(s);
}

/* ---- the proof */

/* States that no orbit was found that could be proved. */
static int show_none(const cli_arguments *arguments, const cli_instance *instance,
                     const cli_certified_format *format, const char *reason)
{
    if (format->json) print_json(instance, NULL, IC_UNDECIDED, reason);
    fflush(stdout);
    cli_failure(arguments->command, "%s", reason);
    return CLI_CHECK_FAILED;
}

/* Shows an orbit; returns the exit status. */
static int show_orbit(const cli_arguments *arguments, cli_shown_orbit *s, const cli_certified_format *format)
{
    bool good = true;
    const ic_orbit *orbit = s->orbit;
    if (format->json) print_json(s->instance, s, orbit->status, orbit->reason);
    else if (!format->quiet && orbit->status == IC_OK)
        good = cli_instance_print_model(s->instance, "by",
                                        "Krawczyk's operator on the return map, in ball arithmetic") &&
               cli_orbit_print(s);
    fflush(stdout);
    if (!good || s->out_of_memory) return cli_no_memory(arguments->command);
    if (orbit->status == IC_OK) return CLI_GOOD;
    cli_failure(arguments->command, "the orbit is not proved: %s", orbit->reason);
    return CLI_CHECK_FAILED;
}

static const ic_solver *solver_for(const ic_problem *problem)
{
    return ic_accurate_solver(problem->variant);
}

static const ic_options tight = {.rtol = 1e-11};

/* The steady state of a forced problem. */
static int prove_steady(const cli_arguments *arguments, const cli_instance *instance, const ic_problem *exact,
                        const cli_certified_format *format)
{
    ic_steady steady;
    ic_orbit orbit;
    const ic_problem *problem = &instance->setup.problem;
    const ic_status status = ic_steady_find(&steady, problem, solver_for(problem), &tight, IC_STEADY_TRANSIENT);
    if (status != IC_OK) return cli_failure(arguments->command, "no steady state: %s", ic_status_text(status));
    if (steady.multiple == 0) {
        char reason[100];
        snprintf(reason, sizeof reason,
                 "no stable periodic orbit of up to %d periods was found from this start",
                 IC_STEADY_MOST_PERIODS);
        return show_none(arguments, instance, format, reason);
    }
    const ic_orbit_request request = {
        .x = steady.x, .mode = steady.mode, .multiple = steady.multiple, .digits = format->digits};
    ic_orbit_certify(&orbit, exact, &request);
    cli_shown_orbit s = {
        .instance = instance, .orbit = &orbit, .forcing = steady.period, .digits = format->digits};
    const int exit_status = show_orbit(arguments, &s, format);
    ic_orbit_clear(&orbit);
    return exit_status;
}

/* Proves a cycle at its last event; or at the event before it, and so on. false: the solver finds none. */
static bool certify_cycle(ic_orbit *orbit, ic_cycle *cycle, const ic_problem *problem, const ic_problem *exact,
                          long digits)
{
    int events = 1;
    *orbit = (ic_orbit){.status = IC_UNDECIDED};
    for (int back = 0; back < events && orbit->status == IC_UNDECIDED; back++) {
        if (ic_cycle_find(cycle, problem, solver_for(problem), &tight, back) != IC_OK || cycle->multiple == 0)
            return back > 0;
        events = cycle->events;
        const ic_orbit_request request = {.x = cycle->x,
                                          .mode = cycle->mode,
                                          .multiple = cycle->multiple,
                                          .event = cycle->event,
                                          .latest = 2 * cycle->period,
                                          .digits = digits};
        if (back > 0) ic_orbit_clear(orbit);
        ic_orbit_certify(orbit, exact, &request);
    }
    return true;
}

/* The cycle of a problem without forcing. */
static int prove_cycle(const cli_arguments *arguments, const cli_instance *instance, const ic_problem *exact,
                       const cli_certified_format *format)
{
    ic_cycle cycle;
    ic_orbit orbit;
    if (!certify_cycle(&orbit, &cycle, &instance->setup.problem, exact, format->digits))
        return show_none(arguments, instance, format, "no cycle with events was found from this start");
    cli_shown_orbit s = {.instance = instance, .orbit = &orbit, .event = cycle.event, .digits = format->digits};
    const int exit_status = show_orbit(arguments, &s, format);
    ic_orbit_clear(&orbit);
    return exit_status;
}

int cli_orbit(const cli_arguments *arguments, const cli_instance *instance, const cli_certified_format *format)
{
    ic_setup exact;
    ic_error error;
    if (!ic_setup_exact(&exact, &instance->setup.problem, &error))
        return cli_bad_input(arguments->command, "%s: its orbits cannot be certified", error.text);
    const int status = exact.problem.system->period != NULL
                           ? prove_steady(arguments, instance, &exact.problem, format)
                           : prove_cycle(arguments, instance, &exact.problem, format);
    ic_setup_close(&exact);
    flint_cleanup();
    return status;
}
