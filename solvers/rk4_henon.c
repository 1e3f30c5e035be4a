/* SPDX-License-Identifier: MIT */
/**
 * The classical Runge-Kutta method of order 4 with fixed steps, and Henon's step onto events.
 *
 * M. Henon, On the numerical computation of Poincare maps, Physica D 5 (1982) 412-414; for
 * separation events (force steps): G. A. Dedow, K. D. Murphy, Numerical computation of separation
 * events (2021).
 *
 * A step that carries a guard g across zero is undone. From the start (t0, x0) of the step, where g
 * = g0, the guard becomes the independent variable,
 *
 *     dx/dg = f(t, x) / r(t, x),    dt/dg = 1 / r(t, x),    r = dg/dt along the flow,
 *
 * and one Runge-Kutta step of length -g0 lands on g = 0. It makes no difference whether g is a
 * displacement (impact) or a force (separation). Steps then continue on the grid t_start + i h, so
 * that the order is preserved across events.
 *
 * If that step is not safe (the rate is small or changes sign between g0 and 0, as near grazing, or
 * when the guard departs from zero and returns within one step), the event is found by repeated
 * steps in time, which have the same order, and a note is logged.
 *
 * Two crossings inside one step are found if the cubic through x0, f0, x1, f1 shows them.
 */
#include "core/model.h"
#include "core/one_step.h"
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <string.h>

/*
 * Henon's step is safe if the rate keeps its sign and varies by less than this factor over its
 * stages: the local error in time is about the fifth power of the relative change of the rate, here
 * at most 1e-5 of a step.
 */
#define MOST_RATE_CHANGE 1.1

/*
 * A step shorter than this fraction of h is a rounding error of the grid, and is joined to the next
 * one.
 */
#define LEAST_STEP 1e-9

/* The cubic in the state needs four values; a fifth serves guards that are not affine in it. */
enum { GUARD_NODES = 5 };

typedef struct runge_kutta {
    ic_one_step step;
    double h;
    double *k[4];
} runge_kutta;

/* ---- a step in time, dx/dt = f */

static const double *step_in_time(void *self, double h)
{
    runge_kutta *s = self;
    ic_one_step_classical(&s->step, s->k, h);
    return s->step.x1;
}

/* ---- a step in the guard, dx/dg = f/r, dt/dg = 1/r */

/* Step from (t0, x0) to (t1, x1) with g = 0. false: this is not safe. */
static bool step_in_guard(runge_kutta *s, size_t guard)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    double rate[4], t = s->step.t0, least = INFINITY, most = 0;
    const double g0 = ic_phase_guard(s->step.phase, guard, s->step.t0, s->step.x0);
    const double dg = -g0;
    for (int i = 0; i < 4; i++) {
        if (i == 0) {
            memcpy(s->step.stage, s->step.x0, s->step.n * sizeof *s->step.stage);
        } else {
            t = s->step.t0 + dg * part[i] / rate[i - 1];
            for (size_t j = 0; j < s->step.n; j++) {
                s->step.stage[j] = s->step.x0[j] + dg * part[i] * s->k[i - 1][j] / rate[i - 1];
            }
            ic_phase_flow(s->step.phase, s->k[i], t, s->step.stage);
        }
        rate[i] = ic_phase_guard_rate(s->step.phase, guard, t, s->step.stage);
        if (!(rate[i] * dg > 0)) return false;
        least = fmin(least, fabs(rate[i]));
        most = fmax(most, fabs(rate[i]));
    }
    if (!(most <= MOST_RATE_CHANGE * least)) return false;
    const double dt = dg / 6 * (1 / rate[0] + 2 / rate[1] + 2 / rate[2] + 1 / rate[3]);
    for (size_t j = 0; j < s->step.n; j++) {
        s->step.x1[j] = s->step.x0[j] + dg / 6 *
                                            (s->k[0][j] / rate[0] + 2 * s->k[1][j] / rate[1] +
                                             2 * s->k[2][j] / rate[2] + s->k[3][j] / rate[3]);
    }
    s->step.t1 = s->step.t0 + dt;
    return true;
}

/* ---- the method */

static void begin_phase(void *self, const ic_phase *phase)
{
    runge_kutta *s = self;
    s->h = phase->options->step > 0 ? phase->options->step : ic_default_step(phase->problem);
}

/* The end of the step that starts at t0: the next point of the grid, or t_stop. */
static double step_end(const runge_kutta *s)
{
    const double t_start = s->step.phase->problem->t_start;
    double next = t_start + s->h * (floor((s->step.t0 - t_start) / s->h + LEAST_STEP) + 1);
    if (next - s->step.t0 < LEAST_STEP * s->h) next += s->h;
    return next > s->step.phase->t_stop - LEAST_STEP * s->h ? s->step.phase->t_stop : next;
}

static ic_status take_step(void *self, const ic_phase *phase)
{
    (void)phase;
    runge_kutta *s = self;
    return ic_one_step_fixed(&s->step, s->k, step_end(s));
}

static ic_status land_on_event(void *self, ic_phase *phase, double located)
{
    runge_kutta *s = self;
    ic_one_step *step = &s->step;
    const double t_end = step->t1;
    const size_t i = (size_t)phase->fired;
    ic_status status = IC_OK;
    phase->work->root_iterations++;
    /* a guard that departs from zero in this step can return to it only against its first rate */
    const bool departs = phase->arming[i].order > 0;
    if (departs || !step_in_guard(s, i) || !(step->t1 <= t_end + (t_end - step->t0))) {
        step->t1 = t_end;
        status = ic_log_note(phase->log, IC_NOTE_FALLBACK, located, ic_phase_guard_name(phase, i));
        if (status == IC_OK) status = ic_one_step_land(s, phase, located);
    }
    ic_phase_flow(phase, step->f1, step->t1, step->x1);
    return status;
}

static ic_status solve_rk4(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_one_step_method method = {.begin = begin_phase,
                                              .take = take_step,
                                              .find_event = ic_one_step_first_event,
                                              .land = land_on_event,
                                              .interpolate = ic_one_step_cubic,
                                              .parts = 1,
                                              .nodes = GUARD_NODES,
                                              .narrow = ic_narrow_by_bisection,
                                              .retake = step_in_time,
                                              .observes = true};
    runge_kutta s;
    const size_t n = problem->system->n_states;
    double *at = ic_one_step_open(&s.step, &method, n, 3);
    if (at == NULL) return IC_NO_MEMORY;
    s.k[0] = s.step.f0;
    for (int i = 1; i < 4; i++) s.k[i] = at + (size_t)(i - 1) * n;
    return ic_one_step_run(&s.step, log, problem, options);
}

const ic_solver ic_solver_rk4_henon = {
    IC_ABI(ic_solver),
    .name = "rk4_henon",
    .title = "Runge-Kutta of order 4 with fixed steps and Henon's step onto events",
    .source = "Henon 1982; Dedow & Murphy 2021",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 4,
    .control = IC_CONTROL_STEP,
    .solve = solve_rk4,
};
