/* SPDX-License-Identifier: MIT */
/**
 * Energy balance of every run: what is stored changes by what is supplied, less what is dissipated, less what jumps take.
 *
 * Power is integrated over the samples by the trapezoidal rule with end correction (order 4),
 *
 *     int P dt = h/2 (P0 + P1) + h^2/12 (P0' - P1') + O(h^5),
 *
 * with P' along the mode's flow by differences, split at events. What jumps take is reported: energy that a jump adds has
 * appeared from nowhere (condition B of the roller does that at each onset of contact).
 */
#include "core/registry.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Samples per typical time, and how many typical times are followed. With some hundred samples for each oscillation of the
 * stiffest mode the quadrature's error, (0.06)^4/720 for each radian, is below 1e-7 of the energy that is turned over. */
#define SAMPLES_PER_TIME_SCALE 1000.0
/* On a contact-force law power begins like t^(3/2): errors like h^(5/2). Where the run is one impact, they are not small beside
 * what is turned over. */
#define SAMPLES_ON_A_LAW 2500.0
#define SAMPLES_OF_AN_IMPACT 10000.0
#define TIME_SCALES 20.0
#define QUADRATURE_TOLERANCE 1e-7

typedef struct balance {
    const ic_problem *problem;
    double time_scale;
    double supplied, dissipated; /* J so far */
    double taken, added;         /* J by jumps: losses, gains */
    double turned_over;          /* J: sum of magnitudes */
} balance;

typedef double power_function(double t, const double *x, const double *par);

static double power_rate(const balance *b, const ic_mode *mode, power_function *power, double t,
                         const double *x)
{
    const size_t n = b->problem->system->n_states;
    const double h = 1e-6 * b->time_scale;
    double f[IC_MAX_STATES], ahead[IC_MAX_STATES], behind[IC_MAX_STATES];
    mode->flow(f, t, x, b->problem->par);
    for (size_t i = 0; i < n; i++) {
        ahead[i] = x[i] + h * f[i];
        behind[i] = x[i] - h * f[i];
    }
    return (power(t + h, ahead, b->problem->par) - power(t - h, behind, b->problem->par)) / (2 * h);
}

static double work_of(const balance *b, const ic_mode *mode, power_function *power, const ic_sample *from,
                      const ic_sample *to)
{
    const double *par = b->problem->par, h = to->t - from->t;
    const double rate_change =
        power_rate(b, mode, power, from->t, from->x) - power_rate(b, mode, power, to->t, to->x);
    return h / 2 * (power(from->t, from->x, par) + power(to->t, to->x, par)) + h * h / 12 * rate_change;
}

/* The mode of a stretch is that of its first end. */
static void stretch(balance *b, const ic_sample *from, const ic_sample *to)
{
    const ic_mode *mode = &b->problem->variant->modes[from->mode];
    if (!(to->t > from->t)) return;
    const double supplied = work_of(b, mode, mode->supplied_power, from, to);
    const double dissipated = work_of(b, mode, mode->dissipated_power, from, to);
    b->supplied += supplied;
    b->dissipated += dissipated;
    b->turned_over += fabs(supplied) + fabs(dissipated);
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
    ic_sample last = first;
    size_t e = 0;
    for (size_t s = 1; s <= ic_log_sample_count(log); s++) {
        const ic_sample next = s < ic_log_sample_count(log) ? ic_log_sample_at(log, s) : end;
        for (; e < ic_log_event_count(log) && ic_log_event_at(log, e).t <= next.t; e++) {
            const ic_event event = ic_log_event_at(log, e);
            stretch(b, &last, &(const ic_sample){event.t, event.mode_from, event.x_pre});
            jump(b, &event);
            last = (ic_sample){event.t, event.mode_to, event.x_post};
        }
        stretch(b, &last, &next);
        if (next.t > last.t) last = (ic_sample){next.t, last.mode, next.x};
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

static void judge(ic_results *results, const ic_problem *problem, const ic_solver *solver, const char *path)
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
    snprintf(row.origin, sizeof row.origin, "%g of the energy turned over: error of the quadrature",
             QUADRATURE_TOLERANCE);
    if (status == IC_OK) {
        row.error = residual(&b, log);
        row.tolerance = QUADRATURE_TOLERANCE * fmax(b.turned_over, DBL_MIN);
        snprintf(row.detail, sizeof row.detail,
                 "supplied %.6g, dissipated %.6g, taken by jumps %.6g, added by jumps %.6g J%s", b.supplied,
                 b.dissipated, b.taken, b.added, b.added > row.tolerance ? ": energy from nowhere" : "");
    } else {
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
    }
    ic_log_free(log);
    ic_results_compare(results, row);
}

static void visit(ic_results *results, const ic_selection *selection, const ic_setup *setup, const char *path)
{
    ic_problem problem = setup->problem;
    const double longest = problem.t_start + TIME_SCALES * ic_time_scale(&problem);
    if (!has_balance(&problem)) return;
    if (problem.t_end > longest) problem.t_end = longest, problem.t_end_text = NULL;
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_selects_solver(selection, ic_solvers[s]) || !ic_solver_serves(ic_solvers[s], &problem))
            continue;
        judge(results, &problem, ic_solvers[s], path);
    }
}

static void run(ic_results *results, const ic_selection *selection)
{
    ic_for_each_subject(results, selection, "energy", visit);
}

const ic_check ic_check_energy = {"energy", "what is stored, supplied, dissipated and lost in jumps adds up",
                                  run, 92};
