/* SPDX-License-Identifier: MIT */
#include "cli/orbit.h"
#include "cli/result.h"
#include "core/model.h"
#include "core/names.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "reports/number.h"
#include "validation/cycle.h"
#include "validation/steady.h"

#include <math.h>
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
    IC_JSON_MEMBERS(json, IC_WHOLE("multiple", s->orbit->multiple), IC_FLAG("smallest", s->orbit->minimal));
    if (s->orbit->smaller > 0) ic_json_integer(json, "smaller_multiple", s->orbit->smaller);
    else ic_json_null(json, "smaller_multiple");
    IC_JSON_MEMBERS(json, IC_FLAG("stable", s->orbit->stable), IC_FLAG("unstable", s->orbit->unstable),
                    IC_WHOLE("events", s->orbit->events),
                    IC_TEXT("mode", cli_mode_name(problem, s->orbit->mode)));
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
    IC_JSON_MEMBERS(&json, IC_TEXT("case", instance->setup.problem.system->name),
                    IC_TEXT("preset", instance->setup.preset->name));
    if (status == IC_OK) cli_orbit_json(&json, s);
    else IC_JSON_MEMBERS(&json, IC_TEXT("status", ic_status_name(status)), IC_TEXT("reason", reason));
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

static const ic_solver *solver_for(const ic_problem *problem)
{
    return ic_accurate_solver(problem->variant);
}

static const ic_options tight = {.rtol = 1e-11};

/* States that no orbit was found that could be proved. */
static int show_none(const cli_orbit_request *asked, const char *reason)
{
    if (asked->format->json) print_json(asked->instance, NULL, IC_UNDECIDED, reason);
    fflush(stdout);
    cli_failure(asked->arguments->command, "%s", reason);
    return CLI_CHECK_FAILED;
}

/* ---- the figure: a run over one period, from the proved state */

/* Typical states by which the run may miss the state that it began with: some 4 orders above the solver's tolerance. */
#define CLOSES_WITHIN 1e-6

/* Part of the period by which the run goes on, so that its last event is in it. */
#define JUST_BEYOND 1e-9

enum { SAMPLES = 2001 };

static bool closes(const cli_shown_orbit *s, const ic_problem *problem, const ic_sample *end)
{
    double scale[IC_MAX_STATES];
    bool good = end->mode == s->orbit->mode;
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states && good; i++)
        good = ic_state_is_discrete(problem->system, i) ||
               fabs(end->x[i] - problem->x_start[i]) <= CLOSES_WITHIN * scale[i];
    return good;
}

/* false: the reason has been printed. */
static bool draw_run(const cli_orbit_request *asked, const cli_shown_orbit *s, const ic_problem *problem,
                     ic_log *log)
{
    char what[128];
    const cli_command *command = asked->arguments->command;
    const ic_options options = {.rtol = tight.rtol, .samples = SAMPLES, .extremes = true};
    ic_status status = ic_log_keep_peaks(log, SAMPLES);
    if (status == IC_OK) status = solver_for(problem)->solve(log, problem, &options);
    const ic_sample end = ic_log_end(log);
    if (status != IC_OK || !closes(s, problem, &end)) {
        cli_failure(command,
                    "option --plot: the run from the proved state does not close%s%s, so that it is not drawn",
                    status != IC_OK ? ": " : "", status != IC_OK ? ic_status_text(status) : "");
        return false;
    }
    cli_result result = {.instance = s->instance, .log = log, .from = -INFINITY};
    result.peaks = ic_log_peaks(log, &result.n_peaks);
    cli_plot_draw(asked->shown, &result, "");
    cli_plot_mark_events(asked->shown, &result);
    snprintf(what, sizeof what, ": proved periodic orbit of %s s", ic_number_short(problem->t_end, 6).text);
    return cli_figure_finish(asked->figure, asked->arguments, cli_plot_figure(asked->shown, what, problem));
}

static bool draw_orbit(const cli_orbit_request *asked, const cli_shown_orbit *s)
{
    double x[IC_MAX_STATES];
    ic_problem problem = s->instance->setup.problem;
    for (slong i = 0; i < s->orbit->n; i++) x[i] = arf_get_d(arb_midref(s->orbit->x + i), ARF_RND_NEAR);
    problem.x_start = x;
    problem.mode_start = s->orbit->mode;
    problem.t_start = 0;
    problem.t_end = s->event == NULL
                        ? s->orbit->multiple * s->forcing
                        : arf_get_d(arb_midref(s->orbit->period), ARF_RND_NEAR) * (1 + JUST_BEYOND);
    problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&problem);
    const bool good = log != NULL && draw_run(asked, s, &problem, log);
    if (log == NULL) cli_no_memory(asked->arguments->command);
    ic_log_free(log);
    return good;
}

/* ---- the proof */

/* Shows an orbit; returns the exit status. */
static int show_orbit(const cli_orbit_request *asked, cli_shown_orbit *s)
{
    bool good = true;
    const cli_arguments *arguments = asked->arguments;
    const cli_certified_format *format = asked->format;
    const ic_orbit *orbit = s->orbit;
    if (format->json) print_json(s->instance, s, orbit->status, orbit->reason);
    else if (!format->quiet && orbit->status == IC_OK)
        good = cli_instance_print_model(s->instance, "by",
                                        "Krawczyk's operator on the return map, in ball arithmetic") &&
               cli_orbit_print(s);
    fflush(stdout);
    if (!good || s->out_of_memory) return cli_no_memory(arguments->command);
    if (orbit->status == IC_OK) return asked->shown == NULL || draw_orbit(asked, s) ? CLI_GOOD : CLI_FAILURE;
    cli_failure(arguments->command, "the orbit is not proved: %s", orbit->reason);
    return CLI_CHECK_FAILED;
}

/* The steady state of a forced problem. */
static int prove_steady(const cli_orbit_request *asked, const ic_problem *exact)
{
    ic_steady steady;
    ic_orbit orbit;
    const ic_problem *problem = &asked->instance->setup.problem;
    const ic_status status = ic_steady_find(&steady, problem, solver_for(problem), &tight, IC_STEADY_TRANSIENT);
    if (status != IC_OK)
        return cli_failure(asked->arguments->command, "no steady state: %s", ic_status_text(status));
    if (steady.multiple == 0) {
        char reason[100];
        snprintf(reason, sizeof reason,
                 "no stable periodic orbit of up to %d periods was found from this start",
                 IC_STEADY_MOST_PERIODS);
        return show_none(asked, reason);
    }
    const ic_orbit_request request = {
        .x = steady.x, .mode = steady.mode, .multiple = steady.multiple, .digits = asked->format->digits};
    ic_orbit_certify(&orbit, exact, &request);
    cli_shown_orbit s = {.instance = asked->instance,
                         .orbit = &orbit,
                         .forcing = steady.period,
                         .digits = asked->format->digits};
    const int exit_status = show_orbit(asked, &s);
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
static int prove_cycle(const cli_orbit_request *asked, const ic_problem *exact)
{
    ic_cycle cycle;
    ic_orbit orbit;
    if (!certify_cycle(&orbit, &cycle, &asked->instance->setup.problem, exact, asked->format->digits))
        return show_none(asked, "no cycle with events was found from this start");
    cli_shown_orbit s = {
        .instance = asked->instance, .orbit = &orbit, .event = cycle.event, .digits = asked->format->digits};
    const int exit_status = show_orbit(asked, &s);
    ic_orbit_clear(&orbit);
    return exit_status;
}

int cli_orbit(const cli_orbit_request *request)
{
    ic_setup exact;
    ic_error error;
    if (!ic_setup_exact(&exact, &request->instance->setup.problem, &error))
        return cli_bad_input(request->arguments->command, "%s: its orbits cannot be certified", error.text);
    const int status = exact.problem.system->period != NULL ? prove_steady(request, &exact.problem)
                                                            : prove_cycle(request, &exact.problem);
    ic_setup_close(&exact);
    flint_cleanup();
    return status;
}
