/* SPDX-License-Identifier: MIT */
/**
 * Time stepping with impulses: solvers that know stops and friction, and locate no event. Their
 * event times are late by up to two steps, and are not judged. Judged are
 *
 * - the order in the final state, away from events and from their accumulation. An impact is
 *   noticed at a random part of a step, so that the error of one run says little: the largest error
 *   of several runs with slightly different steps is fitted over the steps;
 * - the overlap at stops, which an impact noticed one step late bounds by the fastest approach
 *   times the step. A body that is pressed against a stop that moves approaches it, too, until the contact acts at the
 *   step's end: its velocity is then that of the stop, but not its position;
 * - the energy where no power is supplied: its growth above the start falls at first order in the
 *   step, or is rounding. Velocities that are differences of positions mean nothing within an
 *   impact, so that the least energy is no measure.
 */
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Steps per typical time at the coarsest level; levels, each half as long; runs at each level. */
#define COARSEST_STEPS 250.0
enum { LEVELS = 4, RUNS = 8 };
/*
 * Steps of the runs of a level differ by this from the first to the last, so that impacts fall on
 * all parts of a step.
 */
#define SPREAD 0.1

/* The window has at most so many events, each of which adds an error, and so many typical times. */
enum { MOST_EVENTS = 6 };
#define TIME_SCALES 8.3
/* Number of the coarsest steps between events. Those that are closer together are one accumulation. */
#define STEPS_BETWEEN_EVENTS 8.0

/* Steps per typical time for overlap and energy, and the longest of these runs in typical times. */
#define FINE_STEPS 1000.0
#define LONGEST 20.0
/* How much shorter the steps are that show whether energy that grows vanishes. */
#define SHORTER 4.0

/* Errors below this, relative to their scale, are rounding: some thousand steps of a few roundings. */
#define ROUNDING 1e-12
/*
 * The same for energy: velocities may be differences of positions, which are divided by steps of
 * 1/4000 of the typical time.
 */
#define ENERGY_ROUNDING 1e-9

/* Time, s, in which a machine must be certified. */
#define CERTIFY_SECONDS 2.0

/* ---- order */

/*
 * A time between events at which the motion is smooth: the middle of the longest interval without
 * events. NAN: none.
 */
static double smooth_time(const ic_problem *problem, const ic_log *log)
{
    const double step = ic_time_scale(problem) / COARSEST_STEPS, end = ic_log_end(log).t;
    const size_t count = ic_log_event_count(log);
    double longest = 0, time = count == 0 ? end : NAN;
    for (size_t i = 0; i < count && i < MOST_EVENTS; i++) {
        const double from = ic_log_event_at(log, i).t, to = i + 1 < count ? ic_log_event_at(log, i + 1).t : end;
        if (to - from < STEPS_BETWEEN_EVENTS * step) break;
        if (to - from < longest) continue;
        longest = to - from;
        time = from + longest / 2;
    }
    return time;
}

/* The largest error of the runs of a level, relative to the states' scales. */
static double level_error(const ic_problem *problem, const ic_solver *solver, const ic_truth *truth,
                          double step)
{
    double scale[IC_MAX_STATES], worst = 0;
    ic_state_scales(problem, scale);
    for (int run = 0; run < RUNS; run++) {
        ic_status status = IC_OK;
        const ic_options options = {.step = step * (1 - SPREAD * run / (RUNS - 1))};
        ic_log *log = ic_solve(solver, problem, &options, &status);
        if (log == NULL) return INFINITY;
        const ic_sample end = ic_log_end(log);
        if (status != IC_OK || end.mode != truth->mode || end.x == NULL) {
            ic_log_free(log);
            return INFINITY;
        }
        for (size_t i = 0; i < problem->system->n_states; i++)
            worst = fmax(worst, fabs(end.x[i] - truth->x[i]) / scale[i]);
        ic_log_free(log);
    }
    return worst;
}

/* Slope of log2(error) over the level. */
static double fitted_order(const double *error)
{
    double sum = 0, squares = 0;
    for (int k = 0; k < LEVELS; k++) {
        const double from_middle = k - (LEVELS - 1) / 2.0;
        sum -= from_middle * log2(error[k]);
        squares += from_middle * from_middle;
    }
    return sum / squares;
}

static void judge_order(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                        const ic_truth *truth, const char *path)
{
    double error[LEVELS];
    ic_result row = ic_row("stepping", path, solver, "order");
    snprintf(row.what, sizeof row.what, "order in the final state");
    ic_tolerance_origin(row.origin, sizeof row.origin, &ic_tolerance_order_stepping);
    for (int k = 0; k < LEVELS; k++)
        error[k] = level_error(problem, solver, truth, ic_time_scale(problem) / (COARSEST_STEPS * (1 << k)));
    const double order = fitted_order(error);
    snprintf(row.detail, sizeof row.detail,
             "shows %.2f up to %.6g s; errors %.2g %.2g %.2g %.2g with steps halved", order, problem->t_end,
             error[0], error[1], error[2], error[3]);
    row.tolerance = ic_tolerance_order_stepping.value;
    row.error = error[0] <= ROUNDING ? 0 : fmax(solver->order - order, 0);
    ic_results_compare(results, row);
}

/* ---- overlap and energy, on samples at the ends of steps */

typedef struct stepping_run {
    /* greatest overlap over the greatest rate of a gap, s */
    double overlap;

    /*
     * growth of the energy above that at the start, and its size; NAN: none is stated, or power is
     * supplied
     */
    double growth, size;
    double step;
} stepping_run;

/* The greatest rate of a gap in a step of h that begins at (t, x), without contact forces. */
static double rate_in_step(const ic_problem *problem, const ic_stop *stop, double t, const double *x, double h)
{
    double flow[IC_MAX_STATES], after[IC_MAX_STATES];
    problem->variant->stops->flow(flow, t, x, problem->par);
    for (size_t i = 0; i < problem->system->n_states; i++) after[i] = x[i] + h * flow[i];
    return fmax(fabs(stop->velocity(t, x, problem->par)), fabs(stop->velocity(t + h, after, problem->par)));
}

static bool measure_run(stepping_run *m, const ic_problem *problem, const ic_solver *solver, double steps,
                        ic_status *status)
{
    const ic_stops_view *view = problem->variant->stops;
    double overlap = 0, rate = 0, start = NAN, size = 0;
    const double n = ceil((problem->t_end - problem->t_start) / ic_time_scale(problem) * steps);
    *m = (stepping_run){.step = (problem->t_end - problem->t_start) / n};
    ic_log *log = ic_solve(solver, problem, &(ic_options){.step = m->step, .samples = (size_t)n + 1}, status);
    for (size_t k = 0; *status == IC_OK && k < ic_log_sample_count(log); k++) {
        const ic_sample at = ic_log_sample_at(log, k);
        const ic_mode *mode = &problem->variant->modes[at.mode];
        for (size_t i = 0; i < view->n_stops; i++) {
            overlap = fmax(overlap, -view->stops[i].gap(at.t, at.x, problem->par));
            rate = fmax(rate, rate_in_step(problem, &view->stops[i], at.t, at.x, m->step));
        }
        if (mode->stored_energy == NULL || mode->supplied_power(at.t, at.x, problem->par) != 0) {
            m->growth = NAN;
            continue;
        }
        const double energy = mode->stored_energy(at.t, at.x, problem->par);
        if (k == 0) start = energy;
        size = fmax(size, fabs(energy - start) + fabs(start));
        if (m->growth < energy - start) m->growth = energy - start; /* NAN stays */
    }
    m->overlap = rate > 0 ? overlap / rate : 0;
    m->size = size;
    ic_log_free(log);
    return *status == IC_OK;
}

static void judge_overlap(ic_results *results, const ic_solver *solver, const stepping_run *m, const char *path)
{
    ic_result row = ic_row("stepping", path, solver, "step");
    snprintf(row.what, sizeof row.what, "overlap at stops");
    ic_tolerance_origin(row.origin, sizeof row.origin, &ic_tolerance_stepping_overlap);
    row.error = m->overlap / m->step;
    row.tolerance = ic_tolerance_stepping_overlap.value;
    snprintf(row.detail, sizeof row.detail, "the fastest approach covers it in %.2g steps of %.3g s", row.error,
             m->step);
    ic_results_compare(results, row);
}

static bool energy_grows(const stepping_run *run)
{
    return run->growth > ENERGY_ROUNDING * run->size;
}

/* `fine`: a run with shorter steps, where energy grows. */
static void judge_energy(ic_results *results, const ic_solver *solver, const stepping_run *coarse,
                         const stepping_run *fine, const char *path)
{
    ic_result row = ic_row("stepping", path, solver, "1");
    snprintf(row.what, sizeof row.what, "energy does not grow, but for the step");
    ic_tolerance_origin(row.origin, sizeof row.origin, &ic_tolerance_stepping_energy);
    row.tolerance = ic_tolerance_stepping_energy.value;
    row.error = energy_grows(coarse) ? fine->growth / coarse->growth : 0;
    const int length = snprintf(row.detail, sizeof row.detail, "grows by %.2g J with steps of %.3g s",
                                coarse->growth, coarse->step);
    if (energy_grows(coarse))
        snprintf(row.detail + length, sizeof row.detail - (size_t)length, ", by %.2g J with steps of %.3g s",
                 fine->growth, fine->step);
    ic_results_compare(results, row);
}

static void judge_runs(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                       const char *path)
{
    stepping_run coarse, fine = {0};
    ic_status status = IC_OK;
    if (!measure_run(&coarse, problem, solver, FINE_STEPS, &status) ||
        (energy_grows(&coarse) && !measure_run(&fine, problem, solver, SHORTER * FINE_STEPS, &status))) {
        ic_result row = ic_row("stepping", path, solver, "");
        snprintf(row.what, sizeof row.what, "the run finishes");
        snprintf(row.detail, sizeof row.detail, "%s", ic_status_text(status));
        ic_results_compare(results, row);
        return;
    }
    if (problem->variant->stops->n_stops > 0) judge_overlap(results, solver, &coarse, path);
    if (!isnan(coarse.growth)) judge_energy(results, solver, &coarse, &fine, path);
}

/* ---- subjects */

static void skip(ic_results *results, const ic_solver *solver, const char *path, const char *why)
{
    ic_result row = ic_row("stepping", path, solver, "order");
    snprintf(row.what, sizeof row.what, "order in the final state");
    row.verdict = IC_SKIPPED;
    snprintf(row.detail, sizeof row.detail, "%.250s", why);
    ic_results_add(results, &row);
}

/* Certifies the problem up to a time between the events of a run, which becomes its end. */
static void certify_window(ic_truth *truth, ic_problem *window)
{
    const ic_solver *accurate = ic_accurate_solver(window->variant);
    ic_status status = IC_OK;
    window->t_end = fmin(window->t_end, window->t_start + TIME_SCALES * ic_time_scale(window));
    window->t_end_text = NULL;
    ic_log *log = ic_solve(accurate, window, &(ic_options){.rtol = ic_verify_rtol(accurate)}, &status);
    const double end = log != NULL ? smooth_time(window, log) : NAN;
    ic_log_free(log);
    if (end > window->t_start) window->t_end = end;
    ic_truth_certify_within(truth, window, IC_TRUTH_DIGITS, CERTIFY_SECONDS);
}

void ic_stepping_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                       ic_stepping_window *window, const char *path)
{
    ic_problem limited = *problem;
    if (window->problem.system == NULL) {
        window->problem = *problem;
        certify_window(&window->truth, &window->problem);
    }
    if (window->truth.status == IC_OK) judge_order(results, &window->problem, solver, &window->truth, path);
    else skip(results, solver, path, window->truth.reason);
    limited.t_end = fmin(problem->t_end, problem->t_start + LONGEST * ic_time_scale(problem));
    limited.t_end_text = NULL;
    judge_runs(results, &limited, solver, path);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    ic_stepping_window window = {0};
    for (size_t s = 0; s < ic_solver_count; s++) {
        const ic_solver *solver = ic_solvers[s];
        if ((solver->needs & IC_NEEDS_STOPS_VIEW) == 0 || !ic_selects_solver(selection, solver)) continue;
        if (ic_solver_solves(solver, &setup->problem))
            ic_stepping_judge(results, &setup->problem, solver, &window, path);
    }
    ic_truth_clear(&window.truth);
}

const ic_check ic_check_stepping = {"stepping",
                                    "time stepping with impulses: order away from events, overlap and energy",
                                    .visit = visit_preset, .cost = 60};
