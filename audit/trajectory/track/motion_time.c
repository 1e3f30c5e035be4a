/* SPDX-License-Identifier: MIT */
/*
 * With f the velocity in state space and f' its rate along the flow, both relative to the ranges of
 * the states, tau = |f|/|f'| is 1/omega for an oscillation of angular frequency omega, and about
 * 0.4 times the time of fall for a body that falls from rest. If a body hardly accelerates between
 * two bounces, the time between them counts.
 */
#include "audit/trajectory/track/track.h"

#include "core/model.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 200 };

/* Number of steps of the case's own run, after which it repeats itself. */
#define OWN_STEPS 2000

/*
 * Ratio of the typical time to tau: that of the time of a fall, and of two fifths of the period of
 * an oscillation, in which it moves from one side to the other.
 */
#define TIMES_TAU 2.6

/* Least change of the velocity at an event that turns the motion, relative to the velocity. */
#define TURN 0.5

/* Step of a difference along the flow, relative to a range; its error is the square of that. */
#define STEP 1e-5

typedef struct scales {
    double range[IC_MAX_STATES];
    size_t n;
} scales;

static double norm(const double *x, const scales *s)
{
    double square = 0;
    for (size_t j = 0; j < s->n; j++) square += x[j] * x[j] / (s->range[j] * s->range[j]);
    return sqrt(square);
}

/* The typical time at a state, s; NAN: nothing moves. */
static double tau_at(const ic_problem *problem, const scales *s, double t, int mode, const double *x)
{
    const ic_mode *m = &problem->variant->modes[mode];
    double f[IC_MAX_STATES] = {0}, ahead[IC_MAX_STATES], behind[IC_MAX_STATES];
    double f_ahead[IC_MAX_STATES] = {0}, f_behind[IC_MAX_STATES] = {0}, rate[IC_MAX_STATES];
    m->flow(f, t, x, problem->par);
    const double speed = norm(f, s);
    if (!(speed > 0) || !isfinite(speed)) return NAN;
    const double step = STEP / speed;
    for (size_t j = 0; j < s->n; j++) ahead[j] = x[j] + step * f[j], behind[j] = x[j] - step * f[j];
    m->flow(f_ahead, t + step, ahead, problem->par);
    m->flow(f_behind, t - step, behind, problem->par);
    for (size_t j = 0; j < s->n; j++) rate[j] = (f_ahead[j] - f_behind[j]) / (2 * step);
    const double tau = speed / norm(rate, s);
    return isfinite(tau) ? tau : NAN;
}

/*
 * Finds the ranges of the states in `count` rows. A state that does not vary gets its scale in the
 * case.
 */
static void find_ranges(scales *s, const ic_problem *problem, const double *(*row)(const void *, size_t),
                        const void *rows, size_t count)
{
    ic_state_scales(problem, s->range);
    for (size_t j = 0; j < s->n && count > 0; j++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            least = fmin(least, row(rows, i)[j]);
            most = fmax(most, row(rows, i)[j]);
        }
        if (most > least) s->range[j] = most - least;
    }
}

static const double *log_row(const void *log, size_t i)
{
    return ic_log_sample_at(log, i).x;
}

static const double *trajectory_row(const void *rows, size_t i)
{
    const ic_trajectory *tr = rows;
    return &tr->x[i * tr->n_states];
}

/* Whether an event changes the velocity in state space by a good part of its magnitude. */
static bool turns_motion(const ic_event *event, const ic_problem *problem, const scales *s)
{
    const ic_mode *modes = problem->variant->modes;
    double before[IC_MAX_STATES] = {0}, after[IC_MAX_STATES] = {0};
    modes[event->mode_from].flow(before, event->t, event->x_pre, problem->par);
    modes[event->mode_to].flow(after, event->t, event->x_post, problem->par);
    const double speed = norm(before, s);
    for (size_t j = 0; j < s->n; j++) after[j] -= before[j];
    return norm(after, s) > TURN * speed;
}

/*
 * Bounds tau at each sample by the time between the events around it that turn the motion: a body
 * that hardly accelerates between two bounces has no other typical time.
 */
static void bound_by_turns(double *tau, size_t n, const ic_log *log, const ic_problem *problem, const scales *s)
{
    double last = -INFINITY;
    size_t i = 0;
    for (size_t e = 0; e < ic_log_event_count(log); e++) {
        const ic_event event = ic_log_event_at(log, e);
        if (!turns_motion(&event, problem, s)) continue;
        const double most = (event.t - last) / TIMES_TAU;
        for (; i < n && ic_log_sample_at(log, i).t < event.t; i++) {
            if (tau[i] > most) tau[i] = most;
        }
        last = event.t;
    }
}

/* Median over samples of the case's own run. */
static double tau_of_run(const ic_problem *problem, const ic_log *log)
{
    double tau[SAMPLES], values[SAMPLES];
    scales s = {.n = problem->system->n_states};
    const size_t all = ic_log_sample_count(log);
    size_t count = 0, n = 0;
    find_ranges(&s, problem, log_row, log, all);
    while (count < all && count < SAMPLES) {
        const ic_sample sample = ic_log_sample_at(log, count);
        tau[count++] = tau_at(problem, &s, sample.t, sample.mode, sample.x);
    }
    bound_by_turns(tau, count, log, problem, &s);
    for (size_t i = 0; i < count; i++) {
        if (isfinite(tau[i])) values[n++] = tau[i];
    }
    return n > 0 ? ic_audit_median(values, n) : NAN;
}

/* Median over the rows, in the mode in which the case starts. */
static double tau_of_rows(const ic_problem *problem, const ic_trajectory *tr)
{
    double values[SAMPLES + 1], start[IC_MAX_STATES] = {0};
    scales s = {.n = tr->n_states};
    const ic_jump *jump = &problem->variant->start;
    const int branch = jump->apply(start, problem->t_start, NULL, problem->par);
    const size_t stride = tr->n / SAMPLES + 1;
    size_t n = 0;
    if (branch < 0 || jump->branches[branch].mode < 0) return NAN;
    find_ranges(&s, problem, trajectory_row, tr, tr->n);
    for (size_t i = 0; i < tr->n && n < SAMPLES; i += stride) {
        const double tau = tau_at(problem, &s, tr->t[i], jump->branches[branch].mode, trajectory_row(tr, i));
        if (isfinite(tau)) values[n++] = tau;
    }
    return n > 0 ? ic_audit_median(values, n) : NAN;
}

double ic_motion_time(const ic_predictor *p, const ic_problem *problem, const ic_trajectory *tr)
{
    const ic_options options = {.samples = SAMPLES, .max_steps = OWN_STEPS};
    ic_log *log = ic_log_new(problem);
    double tau = NAN;
    if (log != NULL) {
        p->solver->solve(log, problem, &options); /* The run may end early. */
        tau = tau_of_run(problem, log);
    }
    ic_log_free(log);
    if (isnan(tau)) tau = tau_of_rows(problem, tr);
    return isnan(tau) ? ic_time_scale(problem) : TIMES_TAU * tau;
}
