/* SPDX-License-Identifier: MIT */
/**
 * Steady states of forced cases: a solver finds a periodic orbit, and the certifier proves its
 * existence and local uniqueness, that its multiple of the period is the smallest, and that it is
 * stable. The most accurate solver follows the transient. The others find their orbits from near its
 * orbit, with --full each from the start of the motion.
 */
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { DIGITS = 18 };
/* Displacement from the orbit of another solver, in scales, from which Newton's method has to return. */
#define ASIDE 1e-4
/* Processor time, s, in which the motion from an orbit that is not proved must be certified. */
#define RETURN_SECONDS 2.0

static void describe_orbit(ic_result *row, const ic_orbit *orbit, const ic_steady *steady)
{
    const double radius = arf_get_d(arb_midref(orbit->radius), ARF_RND_NEAR);
    snprintf(row->detail, sizeof row->detail,
             "period %d x %.6g s%s, %zu events; largest multiplier %.8g%s; first mode %.4g of the time",
             orbit->multiple, steady->period, orbit->minimal ? " (smallest, proved)" : "", orbit->events,
             radius, orbit->stable ? ": stable, proved" : "", steady->fraction[0]);
}

/* Distance of the solver's orbit from the certified one, relative to the states' scales. */
static double distance(const ic_orbit *orbit, const ic_problem *problem, const ic_steady *steady)
{
    double scale[IC_MAX_STATES], most = 0;
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const double centre = arf_get_d(arb_midref(orbit->x + i), ARF_RND_NEAR);
        most = fmax(most, fabs(steady->x[i] - centre) / scale[i]);
    }
    return most;
}

static double largest_radius(const ic_orbit *orbit, const ic_problem *problem)
{
    double scale[IC_MAX_STATES], most = 0;
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states; i++)
        most = fmax(most, mag_get_d(arb_radref(orbit->x + i)) / scale[i] + DBL_EPSILON);
    return most;
}

/*
 * An orbit near one that was certified for another solver is not certified again, whether or not it was
 * proved to be stable, or could be certified. A different orbit is.
 */
static bool orbit_serves(const ic_orbit *orbit, const ic_problem *problem, const ic_steady *steady,
                         double tolerance)
{
    return orbit->n > 0 && orbit->mode == steady->mode && orbit->multiple == steady->multiple &&
           distance(orbit, problem, steady) <= tolerance;
}

/*
 * Distance, relative to the scales, between the solver's orbit and the certified motion from it
 * after its period; 0 if that cannot be certified (*returns is false). It identifies a wrong solver if no orbit is
 * proved.
 */
static double certified_return(bool *returns, const ic_problem *problem, const ic_steady *steady)
{
    double scale[IC_MAX_STATES], most = 0;
    ic_problem window = *problem;
    ic_truth truth;
    window.t_start = 0;
    window.t_end = steady->multiple * steady->period;
    window.t_end_text = NULL;
    window.x_start = steady->x;
    window.mode_start = steady->mode;
    ic_truth_certify_within(&truth, &window, DIGITS, RETURN_SECONDS);
    ic_state_scales(problem, scale);
    *returns = truth.status == IC_OK;
    if (truth.status == IC_OK) most = truth.mode == steady->mode ? 0 : INFINITY;
    for (size_t i = 0; truth.status == IC_OK && i < problem->system->n_states; i++)
        most = fmax(most, fabs(truth.x[i] - steady->x[i]) / scale[i]);
    ic_truth_clear(&truth);
    return most;
}

static void judge_unproved(ic_results *results, ic_result row, const ic_orbit *orbit, double error,
                           double tolerance)
{
    if (error > tolerance) {
        row.error = error;
        row.tolerance = tolerance;
        snprintf(row.detail, sizeof row.detail,
                 "after its period the certified motion deviates by %.3g; the tolerance is %.3g", error,
                 tolerance);
        ic_results_compare(results, row);
        return;
    }
    row.verdict = IC_SKIPPED;
    if (orbit->status != IC_OK)
        snprintf(row.detail, sizeof row.detail, "no orbit is proved: %.200s", orbit->reason);
    else
        snprintf(row.detail, sizeof row.detail, "an orbit is proved, but it is not proved to be %s%s%s",
                 orbit->stable ? "" : "stable", orbit->stable || orbit->minimal ? "" : ", nor to be ",
                 orbit->minimal ? "" : "of the smallest period");
    ic_results_add(results, &row);
}

/* Proves the orbit on the formulas of the case. */
static void certify_orbit(ic_orbit *orbit, const ic_problem *problem, const ic_steady *steady)
{
    const ic_orbit_request request = {
        .x = steady->x, .mode = steady->mode, .multiple = steady->multiple, .digits = DIGITS};
    ic_setup exact;
    ic_error error;
    const bool known = ic_setup_exact(&exact, problem, &error);
    ic_orbit_certify(orbit, known ? &exact.problem : problem, &request);
    ic_setup_close(&exact);
}

void ic_orbit_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_steady *steady, const char *path, ic_judged_orbit *last)
{
    ic_orbit *orbit = &last->orbit;
    ic_result row = ic_row("orbits", path, solver, "scale");
    const bool exact = solver->control == IC_CONTROL_NONE;
    const double tolerance =
        ic_tolerance_orbit_distance.value * (exact ? IC_STEADY_RESIDUAL : ic_tolerance_verify_rtol.value);
    if (!orbit_serves(orbit, problem, steady, tolerance)) {
        ic_orbit_clear(orbit);
        certify_orbit(orbit, problem, steady);
        last->returns = true;
    }
    snprintf(row.what, sizeof row.what, "certified periodic orbit");
    if (orbit->status == IC_OK && orbit->minimal && orbit->stable) {
        row.error = distance(orbit, problem, steady);
        row.radius = largest_radius(orbit, problem);
        row.tolerance = tolerance;
        snprintf(row.origin, sizeof row.origin, "%g times %s: %s", ic_tolerance_orbit_distance.value,
                 exact ? "the residual at which Newton's method ends" : "rtol",
                 ic_tolerance_orbit_distance.derivation);
        describe_orbit(&row, orbit, steady);
        ic_results_compare(results, row);
    } else {
        double error = orbit->status == IC_OK ? distance(orbit, problem, steady) : 0;
        if (orbit->status != IC_OK && last->returns) error = certified_return(&last->returns, problem, steady);
        judge_unproved(results, row, orbit, error, tolerance);
    }
}

/* Whether any mode has forcing; without forcing the period is meaningless. */
static bool is_forced(const ic_problem *problem)
{
    bool forced = false;
    for (size_t m = 0; m < problem->variant->n_modes; m++) {
        ic_linear_view view;
        if (!ic_linear_view_open(&view, problem, &problem->variant->modes[m], NULL)) continue;
        forced = forced || view.frequency > 0;
        ic_linear_view_close(&view);
    }
    return forced;
}

static ic_status find_steady(ic_steady *steady, const ic_problem *problem, const ic_solver *solver)
{
    const ic_options options = {.rtol = ic_verify_rtol(solver)};
    return ic_steady_find(steady, problem, solver, &options, IC_STEADY_TRANSIENT);
}

/*
 * The solver's own orbit, from near the one that another solver has found. Its own transient of some hundred
 * periods is needed only if nothing is found there.
 */
static ic_status find_steady_near(ic_steady *steady, const ic_problem *problem, const ic_solver *solver,
                                  const ic_steady *found)
{
    double x[IC_MAX_STATES], scale[IC_MAX_STATES];
    ic_problem near = *problem;
    const ic_options options = {.rtol = ic_verify_rtol(solver)};
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states; i++)
        x[i] = found->x[i] + (ic_state_is_discrete(problem->system, i) ? 0 : ASIDE * scale[i]);
    near.t_start = 0;
    near.x_start = x;
    near.mode_start = found->mode;
    const ic_status status = ic_steady_find(steady, &near, solver, &options, found->multiple);
    return status == IC_OK && steady->multiple > 0 ? status : find_steady(steady, problem, solver);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    const ic_problem *problem = &setup->problem;
    ic_judged_orbit last = {.orbit.status = IC_UNDECIDED};
    if (problem->system->period == NULL || !ic_is_linear(problem->variant) || !is_forced(problem)) return;
    /* If the most accurate solver finds no orbit, no other solver searches. */
    const ic_solver *accurate = ic_accurate_solver(problem->variant);
    ic_steady found;
    ic_status search = IC_OK;
    bool searched = false;
    for (size_t s = 0; s < ic_solver_count; s++) {
        const ic_solver *solver = ic_solvers[s];
        if (solver->control == IC_CONTROL_STEP || !ic_selects_solver(selection, solver)) continue;
        if (!ic_solver_serves(solver, problem)) continue;
        if (!searched) search = find_steady(&found, problem, accurate);
        searched = true;
        ic_steady steady = found;
        ic_status status = search;
        if (solver != accurate && status == IC_OK && steady.multiple > 0)
            status = selection->full ? find_steady(&steady, problem, solver)
                                     : find_steady_near(&steady, problem, solver, &found);
        if (status == IC_OK && steady.multiple > 0) {
            ic_orbit_judge(results, problem, solver, &steady, path, &last);
            continue;
        }
        ic_result row = ic_row("orbits", path, solver, "");
        snprintf(row.what, sizeof row.what, "certified periodic orbit");
        snprintf(row.detail, sizeof row.detail, "no stable periodic orbit of up to %d periods was found%s%s",
                 IC_STEADY_MOST_PERIODS, status == IC_OK ? "" : ": ",
                 status == IC_OK ? "" : ic_status_text(status));
        row.verdict = IC_SKIPPED;
        ic_results_add(results, &row);
    }
    ic_orbit_clear(&last.orbit);
}

const ic_check ic_check_orbits = {"orbits",
                                  "steady states are periodic orbits whose existence and stability are proved",
                                  .visit = visit_preset, .cost = 77};
