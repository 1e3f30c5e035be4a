/* SPDX-License-Identifier: MIT */
/**
 * Energy balance of every run: the change of the stored energy is the supplied energy less the
 * dissipated energy and the losses at jumps.
 *
 * Power is integrated over the samples by the trapezoidal rule with end correction (order 4),
 *
 *     int P dt = h/2 (P0 + P1) + h^2/12 (P0' - P1') + O(h^5),
 *
 * with P' along the mode's flow by differences, split at events. Losses at jumps are reported: a
 * jump that adds energy creates it (condition B of the roller does so at each onset of contact).
 */
#include "registry/registry.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/*
 * Samples per typical time, and the length of the run in typical times. With some hundred samples
 * for each oscillation of the stiffest mode the quadrature's error, (0.06)^4/720 for each radian,
 * is below 1e-7 of the energy that is turned over.
 */
#define SAMPLES_PER_TIME_SCALE 1000.0
/*
 * On a contact-force law power begins like t^(3/2): errors like h^(5/2). If the run is one impact,
 * they are not small compared with the energy turned over.
 */
#define SAMPLES_ON_A_LAW 2500.0
#define SAMPLES_OF_AN_IMPACT 10000.0
#define TIME_SCALES 20.0

/* Power that is supplied to a mode and dissipated in it, W, and the rates of both, W/s. */
typedef struct power {
    double supplied, dissipated, supplied_rate, dissipated_rate;
} power;

typedef struct balance {
    const ic_problem *problem;
    double time_scale;
    const ic_mode *mode; /* the present mode, the time of the last point, and its power */
    double t;
    power power;
    double supplied, dissipated; /* J so far */
    double taken, added;         /* J by jumps: losses, gains */
    double turned_over;          /* J: sum of magnitudes */
} balance;

static power power_at(const balance *b, const ic_mode *mode, double t, const double *x)
{
    const size_t n = b->problem->system->n_states;
    const double *par = b->problem->par, h = 1e-6 * b->time_scale;
    double f[IC_MAX_STATES], ahead[IC_MAX_STATES], behind[IC_MAX_STATES];
    mode->flow(f, t, x, par);
    for (size_t i = 0; i < n; i++) {
        ahead[i] = x[i] + h * f[i];
        behind[i] = x[i] - h * f[i];
    }
    return (power){
        mode->supplied_power(t, x, par), mode->dissipated_power(t, x, par),
        (mode->supplied_power(t + h, ahead, par) - mode->supplied_power(t - h, behind, par)) / (2 * h),
        (mode->dissipated_power(t + h, ahead, par) - mode->dissipated_power(t - h, behind, par)) / (2 * h)};
}

/* Integrates the power up to (t, x), in the mode that the run is in. */
static void stretch(balance *b, double t, const double *x)
{
    const double h = t - b->t;
    if (!(h > 0)) return;
    const power from = b->power, to = power_at(b, b->mode, t, x);
    const double supplied =
        h / 2 * (from.supplied + to.supplied) + h * h / 12 * (from.supplied_rate - to.supplied_rate);
    const double dissipated =
        h / 2 * (from.dissipated + to.dissipated) + h * h / 12 * (from.dissipated_rate - to.dissipated_rate);
    b->supplied += supplied;
    b->dissipated += dissipated;
    b->turned_over += fabs(supplied) + fabs(dissipated);
    b->t = t;
    b->power = to;
}

/* Starts a stretch at (t, x) in a mode. */
static void enter(balance *b, int mode, double t, const double *x)
{
    b->mode = &b->problem->variant->modes[mode];
    b->t = t;
    b->power = power_at(b, b->mode, t, x);
}

static double stored(const balance *b, int mode, double t, const double *x)
{
    return b->problem->variant->modes[mode].stored_energy(t, x, b->problem->par);
}

static void jump(balance *b, const ic_event *event)
{
    const double loss = stored(b, event->mode_from, event->t, event->x_pre) -
                        stored(b, event->mode_to, event->t, event->x_post);
    if (loss > 0) b->taken += loss;
    else b->added -= loss;
    b->turned_over += fabs(loss);
}

/* Walk through samples and events in time order. */
static double residual(balance *b, const ic_log *log)
{
    const ic_sample first = ic_log_sample_at(log, 0), end = ic_log_end(log);
    size_t e = 0;
    enter(b, first.mode, first.t, first.x);
    for (size_t s = 1; s <= ic_log_sample_count(log); s++) {
        const ic_sample next = s < ic_log_sample_count(log) ? ic_log_sample_at(log, s) : end;
        for (; e < ic_log_event_count(log) && ic_log_event_at(log, e).t <= next.t; e++) {
            const ic_event event = ic_log_event_at(log, e);
            stretch(b, event.t, event.x_pre);
            jump(b, &event);
            enter(b, event.mode_to, event.t, event.x_post);
        }
        stretch(b, next.t, next.x);
    }
    const double change = stored(b, end.mode, end.t, end.x) - stored(b, first.mode, first.t, first.x);
    b->turned_over += fabs(stored(b, first.mode, first.t, first.x));
    return fabs(change - b->supplied + b->dissipated + b->taken - b->added);
}

static bool has_balance(const ic_problem *problem)
{
    for (size_t m = 0; m < problem->variant->n_modes; m++) {
        if (problem->variant->modes[m].stored_energy == NULL) return false;
    }
    return true;
}

static void judge_solver(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                         const char *path)
{
    ic_result row = ic_row("energy", path, solver, "J");
    ic_status status = IC_OK;
    balance b = {.problem = problem, .time_scale = ic_time_scale(problem)};
    const double density = problem->variant->free_impact != NULL ? SAMPLES_OF_AN_IMPACT
                           : problem->variant->law != NULL       ? SAMPLES_ON_A_LAW
                                                                 : SAMPLES_PER_TIME_SCALE;
    const double samples = density * (problem->t_end - problem->t_start) / b.time_scale;
    const ic_options options = {.rtol = ic_verify_rtol(solver), .samples = (size_t)samples + 2};
    ic_log *log = ic_solve(solver, problem, &options, &status);
    snprintf(row.what, sizeof row.what, "energy balance closes");
    ic_tolerance_origin(row.origin, sizeof row.origin, &ic_tolerance_energy_balance);
    if (status == IC_OK) {
        row.error = residual(&b, log);
        row.tolerance = ic_tolerance_energy_balance.value * fmax(b.turned_over, DBL_MIN);
        snprintf(row.detail, sizeof row.detail,
                 "supplied %.6g, dissipated %.6g, taken by jumps %.6g, added by jumps %.6g J%s", b.supplied,
                 b.dissipated, b.taken, b.added, b.added > row.tolerance ? ": energy from nowhere" : "");
    } else {
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
    }
    ic_log_free(log);
    ic_results_compare(results, row);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    ic_problem problem = setup->problem;
    const double longest = problem.t_start + TIME_SCALES * ic_time_scale(&problem);
    if (!has_balance(&problem)) return;
    if (problem.t_end > longest) problem.t_end = longest, problem.t_end_text = NULL;
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_selects_solver(selection, ic_solvers[s]) || !ic_solver_serves(ic_solvers[s], &problem))
            continue;
        judge_solver(results, &problem, ic_solvers[s], path);
    }
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_for_each_subject(results, selection, "energy", visit_preset);
}

const ic_check ic_check_energy = {"energy", "what is stored, supplied, dissipated and lost in jumps adds up",
                                  run_check, 92};
