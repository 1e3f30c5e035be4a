/* SPDX-License-Identifier: MIT */
#include "validation/studies/bar_runs.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "registry/registry.h"

#include <math.h>

/*
 * Whether an event changes between sticking and sliding. The only other event before the end is the
 * end of compression.
 */
static size_t count_changes(const ic_log *log)
{
    size_t changes = 0;
    for (size_t i = 0; i + 1 < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        changes += event.mode_to != event.mode_from;
    }
    return changes;
}

static double energy_of_translation(const ic_problem *problem)
{
    const double vx = ic_parameter_value(problem, "vx"), vy = ic_parameter_value(problem, "vy");
    return 0.5 * ic_parameter_value(problem, "m") * (vx * vx + vy * vy);
}

/* F_x^2/(2 k_x) at the greatest force */
static double most_in_spring(const ic_log *log, const ic_problem *problem)
{
    ic_impact impact;
    const ic_extreme force = ic_output_extreme(log, "F_x");
    const double greatest = fmax(fabs(force.min), fabs(force.max));
    problem->system->impact(&impact, problem->par);
    return 0.5 * greatest * greatest / impact.k_x;
}

static void fill_run(ic_bar_run *run, const ic_problem *problem, const ic_log *log, bool spring)
{
    const ic_sample end = ic_log_end(log);
    *run = (ic_bar_run){
        .v = {ic_output_extreme(log, "vx").final, ic_output_extreme(log, "vy").final},
        .P = {end.x[IC_IMPACT_P_X], end.x[IC_IMPACT_P_Y]},
        .phi_dot = ic_output_extreme(log, "phi_dot").final,
        .energy = energy_of_translation(problem),
        .D_N = ic_output_extreme(log, "D_N").final,
        .D_T = ic_output_extreme(log, "D_T").final,
        .tau = end.x[IC_IMPACT_TAU],
        .spring = spring ? most_in_spring(log, problem) : NAN,
        .changes = count_changes(log),
    };
}

static bool solve_problem(ic_bar_run *run, const ic_setup *setup, const char *path, bool spring,
                          ic_error *error)
{
    const ic_problem *problem = &setup->problem;
    ic_options options = ic_trusted_options(problem);
    ic_status status = IC_OK;
    options.extremes = spring;
    ic_log *log = ic_solve(ic_accurate_solver(problem->variant), problem, &options, &status);
    const bool over = status == IC_OK && ic_log_end(log).mode == IC_IMPACT_LIFTED_OFF;
    if (over) fill_run(run, problem, log, spring);
    else if (status == IC_OK) ic_error_set(error, "%s: no lift-off until t = %g s", path, problem->t_end);
    else ic_error_set(error, "%s: %s", path, ic_status_text(status));
    ic_log_free(log);
    return over;
}

bool ic_bar_solve(ic_bar_run *run, const char *path, bool spring, ic_error *error)
{
    ic_setup setup;
    if (!ic_path_open(&setup, path, error)) return false;
    const bool good = solve_problem(run, &setup, path, spring, error);
    ic_setup_close(&setup);
    return good;
}
