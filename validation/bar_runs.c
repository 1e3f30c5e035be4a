/* SPDX-License-Identifier: MIT */
#include "validation/bar_runs.h"
#include "core/linear_view.h"
#include "validation/claims_laboratory.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t output_named(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i + 1 < system->n_outputs && strcmp(system->outputs[i].name, name) != 0) i++;
    return i;
}

static double parameter(const ic_problem *problem, const char *name)
{
    size_t i = 0;
    while (i + 1 < problem->system->n_parameters && strcmp(problem->system->parameters[i].name, name) != 0) i++;
    return problem->par[i];
}

static double output_after(const ic_problem *problem, const ic_event *event, const char *name)
{
    const ic_output *output = &problem->system->outputs[output_named(problem->system, name)];
    return output->value(event->t, event->x_post, IC_IMPACT_LIFTED_OFF, problem->par);
}

/* Where guards cross together, which of them comes first is rounding: a change within this part of the duration before
 * lift-off is one at lift-off. The last phase that is meant to be there lasts some 1/sqrt(kappa), far more. */
#define INSTANT 1e-9

/**
 * Number of the event at which the impact ends; the count of events: there is none.
 *
 * A regularized impact ends as soon as y is back at 0, whichever guard says so. Where both springs relax at one instant
 * (kappa = 1 and a bar that sticks all the time: frequencies 1 and 2) that may be a change by which y passes 0 unnoticed.
 */
static size_t end_of(const ic_log *log)
{
    size_t i = 0;
    for (; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        const bool in_contact = event.t <= 0 || event.x_post[IC_IMPACT_Y] < 0;
        if (event.mode_to == IC_IMPACT_LIFTED_OFF) break;
        if (event.mode_to < IC_IMPACT_LIFTED_OFF && !in_contact) break;
    }
    return i;
}

/* Between sticking and sliding: what else happens before the end is the end of compression. */
static size_t count_changes(const ic_log *log, size_t end)
{
    const double last = ic_log_event_at(log, end).t * (1 - INSTANT);
    size_t changes = 0;
    for (size_t i = 0; i < end; i++) {
        const ic_event event = ic_log_event_at(log, i);
        changes += event.mode_to != event.mode_from && event.t < last;
    }
    return changes;
}

static double energy_of_translation(const ic_problem *problem)
{
    const double vx = parameter(problem, "vx"), vy = parameter(problem, "vy");
    return 0.5 * parameter(problem, "m") * (vx * vx + vy * vy);
}

/* F_x^2/(2 k_x) at the greatest force */
static double most_in_spring(const ic_log *log, const ic_problem *problem)
{
    ic_impact impact;
    const ic_extreme force = ic_log_extreme(log, output_named(problem->system, "F_x"));
    const double greatest = fmax(fabs(force.min), fabs(force.max));
    problem->system->impact(&impact, problem->par);
    return 0.5 * greatest * greatest / impact.k_x;
}

static void measure(ic_bar_run *run, const ic_problem *problem, const ic_log *log, size_t end)
{
    const ic_event event = ic_log_event_at(log, end);
    *run = (ic_bar_run){
        .v = {output_after(problem, &event, "vx"), output_after(problem, &event, "vy")},
        .P = {event.x_post[IC_IMPACT_P_X], event.x_post[IC_IMPACT_P_Y]},
        .phi_dot = output_after(problem, &event, "phi_dot"),
        .energy = energy_of_translation(problem),
        .D_N = output_after(problem, &event, "D_N"),
        .D_T = output_after(problem, &event, "D_T"),
        .tau = event.x_post[IC_IMPACT_TAU],
        .spring = NAN,
        .changes = count_changes(log, end),
    };
}

static bool solve(ic_bar_run *run, const ic_setup *setup, const char *path, bool spring, ic_error *error)
{
    const ic_problem *problem = &setup->problem;
    const ic_solver *solver = ic_accurate_solver(problem->variant);
    ic_options options = ic_trusted_options(problem);
    ic_status status = IC_UNSUPPORTED;
    options.extremes = spring;
    ic_log *log = solver == NULL ? NULL : ic_solve(solver, problem, &options, &status);
    const size_t n = log != NULL && status == IC_OK ? ic_log_event_count(log) : 0,
                 end = n > 0 ? end_of(log) : 0;
    if (end < n) measure(run, problem, log, end);
    else if (status == IC_OK) ic_error_set(error, "%s: no lift-off until t = %g s", path, problem->t_end);
    else ic_error_set(error, "%s: %s", path, ic_status_text(status));
    if (spring && end < n && end + 1 == n) run->spring = most_in_spring(log, problem);
    ic_log_free(log);
    return end < n;
}

bool ic_bar_solve(ic_bar_run *run, const char *path, bool spring, ic_error *error)
{
    ic_setup setup;
    if (!ic_path_open(&setup, path, error)) return false;
    const bool good = solve(run, &setup, path, spring, error);
    ic_setup_close(&setup);
    return good;
}

bool ic_bar_solvef(ic_bar_run *run, bool spring, ic_error *error, const char *format, ...)
{
    char path[IC_LONGEST_PATH];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof path) {
        ic_error_set(error, "a path is longer than %d characters", IC_LONGEST_PATH - 1);
        return false;
    }
    return ic_bar_solve(run, path, spring, error);
}
