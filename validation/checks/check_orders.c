/* SPDX-License-Identifier: MIT */
/**
 * The measured order of a solver with fixed steps, in event times and in the final state, against
 * certified answers: steps are halved, and the slope of the errors above rounding is fitted.
 */
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/checks/growth.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps per typical time at the coarsest level, and levels, each half as long. */
#define COARSEST_STEPS 400.0
enum { LEVELS = 4 };
/*
 * If the order does not show, steps that are shorter by this factor may show it: a stiff contact
 * may be shorter than the steps.
 */
#define FINER 8.0
/* Length of the run in typical times: some dozen events of each preset. */
#define TIME_SCALES 8.3
/*
 * Number of the coarsest steps. Between events that are closer together the motion is not smooth,
 * so that the window ends before them.
 */
#define STEPS_BETWEEN_EVENTS 4.0

/* Multiple of the noise below which errors need not decrease with the steps. */
#define NEAR_NOISE 50.0

typedef struct order_errors {
    /* Errors relative to the typical time, and to the scales. */
    double times[LEVELS], states[LEVELS];
    bool same_events;
} order_errors;

static void measure_level(order_errors *e, int level, const ic_problem *problem, const ic_log *log,
                          const ic_truth *truth, double tie)
{
    double scale[IC_MAX_STATES];
    const ic_sample end = ic_log_end(log);
    size_t at = 0;
    ic_state_scales(problem, scale);
    for (size_t i = 0; e->same_events && i < truth->count; i++) {
        ic_event event;
        e->same_events = ic_truth_counterpart(&event, &at, log, truth, i, tie);
        if (!e->same_events) break;
        e->times[level] = fmax(e->times[level], fabs(event.t - truth->events[i].t) / ic_time_scale(problem));
    }
    e->same_events = e->same_events && ic_log_event_count(log) == at && end.mode == truth->mode;
    for (size_t i = 0; e->same_events && i < problem->system->n_states; i++) {
        e->states[level] = fmax(e->states[level], fabs(end.x[i] - truth->x[i]) / scale[i]);
    }
}

/* `coarsest`: number of steps in a typical time at the first level. */
static order_errors measure_errors(const ic_problem *problem, const ic_solver *solver, const ic_truth *truth,
                                   double coarsest)
{
    order_errors e = {.same_events = true};
    for (int level = 0; level < LEVELS; level++) {
        ic_status status = IC_OK;
        const double step = ic_time_scale(problem) / (coarsest * (1 << level));
        const ic_options options = {.step = step, .event_tol = 4 * DBL_EPSILON * problem->t_end};
        ic_log *log = ic_solve(solver, problem, &options, &status);
        if (status == IC_OK) measure_level(&e, level, problem, log, truth, step);
        else e.same_events = false;
        ic_log_free(log);
    }
    for (int level = 0; level < LEVELS && !e.same_events; level++) e.times[level] = e.states[level] = INFINITY;
    return e;
}

/*
 * Slope of log2(error) over the level, by least squares over the levels above the noise; NAN with
 * fewer than three.
 */
static double fitted_order(const double *error, double noise)
{
    double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (int k = 0; k < LEVELS && error[k] > NEAR_NOISE * noise; k++) {
        const double y = -log2(error[k]);
        n++, sum_x += k, sum_y += y, sum_xx += k * k, sum_xy += k * y;
    }
    return n < 3 ? NAN : (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

static bool order_shows(const ic_solver *solver, const double *error, double noise)
{
    const double order = fitted_order(error, noise);
    return isnan(order) ? error[LEVELS - 1] <= NEAR_NOISE * noise
                        : solver->order - order <= ic_tolerance_order_shortfall.value;
}

static bool orders_show(const ic_solver *solver, const order_errors *e, ic_apart noise)
{
    return order_shows(solver, e->times, noise.time) && order_shows(solver, e->states, noise.state);
}

/* Whether halving the step always decreases the error, as for any order. */
static bool error_falls(const double *error)
{
    bool always = true;
    for (int k = 1; k < LEVELS; k++) always = always && error[k] <= error[k - 1] / 1.5;
    return always;
}

/*
 * With short enough steps a wrong order leads to rounding errors too. If an order is measured, this
 * proves nothing.
 */
static void take_finer(const ic_solver *solver, double *error, const double *finer, double noise)
{
    const bool seen = error_falls(error), only_rounding = isnan(fitted_order(finer, noise));
    if (!isfinite(error[0]) ||
        (!order_shows(solver, error, noise) && order_shows(solver, finer, noise) && !(seen && only_rounding)))
        memcpy(error, finer, LEVELS * sizeof *error);
}

/* `noise` of the errors: from `least`, which is rounding, and from its growth. */
static void judge_order(ic_results *results, const char *path, const ic_solver *solver, const char *what,
                        const double *error, double noise, double least)
{
    ic_result row = ic_row("orders", path, solver, "order");
    const double order = fitted_order(error, noise);
    char errors[96];
    snprintf(row.what, sizeof row.what, "order in %s", what);
    snprintf(row.origin, sizeof row.origin, "claimed order %d - %g: %s", solver->order,
             ic_tolerance_order_shortfall.value, ic_tolerance_order_shortfall.derivation);
    snprintf(errors, sizeof errors, "errors %.2g %.2g %.2g %.2g with steps halved", error[0], error[1],
             error[2], error[3]);
    snprintf(row.detail, sizeof row.detail, "%s",
             isinf(error[0]) ? "other events than the certified ones" : errors);
    if (isnan(order) && error[LEVELS - 1] <= NEAR_NOISE * noise) {
        row.error = error[LEVELS - 1];
        row.tolerance = NEAR_NOISE * noise;
        snprintf(row.unit, sizeof row.unit, "scale");
        ic_tolerance_origin(row.origin, sizeof row.origin, &ic_tolerance_order_noise);
        if (noise > least) {
            row.error = row.tolerance = NAN;
            row.verdict = IC_SKIPPED;
            snprintf(row.detail, sizeof row.detail,
                     "%s: this motion amplifies rounding by %.2g, which hides the order", errors,
                     noise / least);
            ic_results_add(results, &row);
            return;
        }
    } else if (!isnan(order)) {
        row.error = solver->order - order;
        row.tolerance = ic_tolerance_order_shortfall.value;
        snprintf(row.detail, sizeof row.detail, "shows %.2f; %s", order, errors);
    }
    row.error = fmax(row.error, 0);
    ic_results_compare(results, row);
}

void ic_orders_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                     const ic_truth *truth, const char *path)
{
    const double least = ic_tolerance_order_noise.value * DBL_EPSILON;
    ic_apart noise = {least, least};
    order_errors e = measure_errors(problem, solver, truth, COARSEST_STEPS);
    if (!orders_show(solver, &e, noise)) {
        const order_errors finer = measure_errors(problem, solver, truth, FINER * COARSEST_STEPS);
        take_finer(solver, e.times, finer.times, noise.time);
        take_finer(solver, e.states, finer.states, noise.state);
    }
    if (!orders_show(solver, &e, noise)) {
        char why[256];
        ic_growth growth;
        if (!ic_growth_measure(&growth, problem)) results->out_of_memory = true;
        ic_growth_allows(&noise, &growth, problem->t_end, noise, least, why, sizeof why);
        ic_growth_clear(&growth);
    }
    if (truth->count > 0) judge_order(results, path, solver, "event times", e.times, noise.time, least);
    judge_order(results, path, solver, "the final state", e.states, noise.state, least);
}

/* A solver that does not locate events claims order 1, because it reports each at the end of a
   step: the first event shows this order undisturbed. */
static void judge_lateness(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                           const ic_truth *truth, const char *path)
{
    ic_result row = ic_row("orders", path, solver, "step");
    const double step = ic_time_scale(problem) / COARSEST_STEPS, first = truth->events[0].t;
    ic_status status = IC_OK;
    ic_problem window = *problem;
    window.t_end = fmin(problem->t_end, first + STEPS_BETWEEN_EVENTS * step);
    ic_log *log = ic_solve(solver, &window, &(ic_options){.step = step}, &status);
    snprintf(row.what, sizeof row.what, "delay of the first event");
    snprintf(row.origin, sizeof row.origin, "a step: events are not located");
    if (status == IC_OK && ic_log_event_count(log) > 0 &&
        strcmp(ic_log_event_at(log, 0).name, truth->events[0].name) == 0) {
        row.error = fabs(ic_log_event_at(log, 0).t - first) / step;
        row.tolerance = 1;
        snprintf(row.detail, sizeof row.detail, "late by %.2g steps", row.error);
    }
    ic_log_free(log);
    ic_results_compare(results, row);
}

/*
 * Certifies the problem up to its last smooth time, which becomes its end: before events that crowd
 * (accumulation) or that graze. NAN: there is none.
 */
static void certify_window(ic_truth *truth, ic_problem *window)
{
    const double step = ic_time_scale(window) / COARSEST_STEPS;
    double last = -INFINITY;
    const double latest = window->t_start + TIME_SCALES * ic_time_scale(window);
    if (window->t_end > latest) {
        window->t_end = latest;
        window->t_end_text = NULL;
    }
    double end = window->t_end;
    ic_truth_certify(truth, window, IC_TRUTH_DIGITS);
    if (truth->status != IC_OK && truth->count == 0) end = NAN;
    for (size_t i = 0; i < truth->count; i++) {
        if (truth->events[i].t - last < STEPS_BETWEEN_EVENTS * step) {
            end = fmin(end, last - STEPS_BETWEEN_EVENTS * step);
            break;
        }
        last = truth->events[i].t;
    }
    const bool whole = end == window->t_end && truth->status == IC_OK;
    window->t_end = end;
    if (whole || !(end > window->t_start)) return;
    window->t_end_text = NULL;
    ic_truth_clear(truth);
    ic_truth_certify(truth, window, IC_TRUTH_DIGITS);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    ic_problem problem = setup->problem;
    ic_truth truth;
    if (!ic_is_linear(problem.variant)) return;
    certify_window(&truth, &problem);
    const bool smooth = problem.t_end > problem.t_start && truth.status == IC_OK;
    for (size_t s = 0; s < ic_solver_count && smooth; s++) {
        const ic_solver *solver = ic_solvers[s];
        if (solver->control != IC_CONTROL_STEP || !ic_selects_solver(selection, solver)) continue;
        /* Those that step with impulses have a check of their own, `stepping`. */
        if (solver->steps_over_events && truth.count > 0 && (solver->needs & IC_NEEDS_STOPS_VIEW) == 0)
            judge_lateness(results, &problem, solver, &truth, path);
        if (ic_solver_serves(solver, &problem)) ic_orders_judge(results, &problem, solver, &truth, path);
    }
    ic_truth_clear(&truth);
}

const ic_check ic_check_orders = {"orders",
                                  "solvers with fixed steps show the order that they claim, events included",
                                  .visit = visit_preset, .cost = 73};
