/* SPDX-License-Identifier: MIT */
/**
 * Cases without a certified answer or a reference of their own: every solver is compared with an
 * accurate run of one of them, which is compared with a more accurate one. This is agreement, not a
 * proof: an error in code that all solvers share, the case's functions and the event loop, is not
 * detected.
 */
#include "core/linear_view.h"
#include "core/model.h"
#include "reference/beam_case.h"
#include "registry/registry.h"
#include "validation/checks/agreement.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ACCURATE_SOLVER "dop853"
#define TIGHT_RTOL 1e-13
#define LESS_TIGHT_RTOL 1e-12

/* The accurate runs must be this much better than the runs judged by them. */
#define MARGIN 10.0

double ic_event_distance(const ic_log *one, const ic_log *two)
{
    double most = 0;
    if (ic_log_event_count(one) != ic_log_event_count(two)) return INFINITY;
    for (size_t i = 0; i < ic_log_event_count(one); i++) {
        const ic_event a = ic_log_event_at(one, i), b = ic_log_event_at(two, i);
        if (strcmp(a.name, b.name) != 0 || a.kind != b.kind || a.mode_to != b.mode_to) return INFINITY;
        most = fmax(most, fabs(a.t - b.t));
    }
    return most;
}

/* How much the guard changes when each state changes by its scale. */
static double guard_scale(const ic_guard *guard, const ic_event *event, const ic_problem *problem)
{
    const size_t n = problem->system->n_states;
    double scale[IC_MAX_STATES], x[IC_MAX_STATES], sum = 0;
    const double g = guard->value(event->t, event->x_pre, problem->par);
    ic_state_scales(problem, scale);
    memcpy(x, event->x_pre, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[i] += scale[i];
        const double changed = guard->value(event->t, x, problem->par);
        if (isfinite(changed)) sum += fabs(changed - g);
        x[i] = event->x_pre[i];
    }
    return sum;
}

/* s; errors of an event's time are relative to it. */
static double slowness(const ic_event *event, const ic_problem *problem)
{
    const ic_mode *mode = &problem->variant->modes[event->mode_from];
    const double time_scale = ic_time_scale(problem);
    for (size_t i = 0; event->kind == IC_EVENT_GUARD && i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        if (strcmp(guard->name, event->name) != 0) continue;
        const double rate = fabs(guard->rate(event->t, event->x_pre, problem->par));
        return fmax(time_scale, guard_scale(guard, event, problem) / fmax(rate, DBL_MIN));
    }
    return time_scale;
}

/*
 * Greatest difference of event times, relative to the typical time or to the time in which the
 * guard changes by its scale, whichever is longer: a pressure that creeps through a threshold
 * crosses it late by its error over its rate. INFINITY if the events differ.
 */
static double relative_distance(const ic_log *log, const ic_log *truth)
{
    const ic_problem *problem = ic_log_problem(truth);
    double most = 0;
    if (!isfinite(ic_event_distance(log, truth))) return INFINITY;
    for (size_t i = 0; i < ic_log_event_count(truth); i++) {
        const ic_event event = ic_log_event_at(truth, i);
        most = fmax(most, fabs(ic_log_event_at(log, i).t - event.t) / slowness(&event, problem));
    }
    return most;
}

/* Linear cases, free impacts and the beam have answers; the roller on laws repeats that impact
   and has its own tests. */
static bool has_no_answer(const ic_problem *problem)
{
    return !ic_is_linear(problem->variant) && problem->variant->law == NULL && !ic_beam_is(problem->system);
}

static void compare_logs(ic_results *results, ic_result *row, const ic_log *log, ic_status status,
                         const ic_log *truth)
{
    if (status == IC_OK) {
        row->error = relative_distance(log, truth);
        snprintf(row->detail, sizeof row->detail, "%zu events, at most %.2g s apart", ic_log_event_count(log),
                 ic_event_distance(log, truth));
    } else {
        snprintf(row->detail, sizeof row->detail, "%.200s", ic_failure_text(log, status));
    }
    ic_results_compare(results, *row);
}

static void judge_solver(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                         const char *path, const ic_log *truth, double radius)
{
    const bool stepping = solver->control == IC_CONTROL_STEP;
    const ic_options options = {.rtol = ic_verify_rtol(solver)};
    ic_result row = ic_row("agreement", path, solver, "1");
    ic_status status = IC_OK;
    ic_log *log = ic_solve(solver, problem, &options, &status);
    row.radius = radius;
    ic_row_accept(&row, stepping ? &ic_tolerance_long_run_stepping : &ic_tolerance_long_run_adaptive);
    snprintf(row.what, sizeof row.what, "events as by " ACCURATE_SOLVER " at rtol = %g", TIGHT_RTOL);
    compare_logs(results, &row, log, status, truth);
    ic_log_free(log);
}

/* The two accurate runs: how far apart they are. */
static double judge_accurate(ic_results *results, const ic_problem *problem, const char *path,
                             const ic_log *tight, ic_status tight_status)
{
    ic_status status = IC_OK;
    ic_result row = ic_row("agreement", path, NULL, "1");
    ic_log *log =
        ic_solve(ic_solver_find(ACCURATE_SOLVER), problem, &(ic_options){.rtol = LESS_TIGHT_RTOL}, &status);
    const double apart = status == IC_OK && tight_status == IC_OK ? relative_distance(log, tight) : INFINITY;
    row.radius = 0;
    row.tolerance = ic_tolerance_long_run_adaptive.value / MARGIN;
    snprintf(row.what, sizeof row.what, "events by " ACCURATE_SOLVER " at rtol = %g and %g", TIGHT_RTOL,
             LESS_TIGHT_RTOL);
    snprintf(row.origin, sizeof row.origin,
             "a factor of %g below long_run_adaptive, by which solvers are judged", MARGIN);
    compare_logs(results, &row, log, tight_status != IC_OK ? tight_status : status, tight);
    ic_log_free(log);
    return apart;
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    const ic_problem *problem = &setup->problem;
    ic_status status = IC_OK;
    if (!has_no_answer(problem)) return;
    ic_log *truth =
        ic_solve(ic_solver_find(ACCURATE_SOLVER), problem, &(ic_options){.rtol = TIGHT_RTOL}, &status);
    if (truth == NULL) return;
    const double radius = judge_accurate(results, problem, path, truth, status);
    for (size_t s = 0; s < ic_solver_count && status == IC_OK; s++) {
        if (ic_selects_solver(selection, ic_solvers[s]) && ic_solver_serves(ic_solvers[s], problem))
            judge_solver(results, problem, ic_solvers[s], path, truth, radius);
    }
    ic_log_free(truth);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_for_each_subject(results, selection, "agreement", visit_preset);
}

const ic_check ic_check_agreement = {"agreement", "where nothing certifies: solvers agree on the events",
                                     run_check, 40};
