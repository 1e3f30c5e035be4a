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
 * A flow that changes like a root of the time at an end of a phase, as a contact's damping c d^(1/4) v does
 * where d = 0, has no order there: the error of one step is about h^(5/4). There steps are halved towards that
 * end of the phase, ten times, after which the error is that of the steps further away.
 *
 * Two crossings inside one step are found if the cubic through x0, f0, x1, f1 shows them.
 */
#include "core/cubic.h"
#include "core/event_loop.h"
#include "core/model.h"
#include "core/step_events.h"
#include "impactcheck/impactcheck.h"
#include "solvers/runge_kutta/slope_sum.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
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

/*
 * A rate is steep at an end if its change over 1/512 of the way to it is more than this part of that over
 * 1/2: 1/256 is that of a straight line, and 0.3 that of a fourth root.
 */
#define STEEP (1.0 / 32)
/* Number of times that a step is halved towards a steep end: 2^(-10 5/4) = 2e-4. */
enum { HALVINGS = 10 };

/* The cubic in the state needs four values; a fifth serves guards that are not affine in it. */
enum { GUARD_NODES = 5 };

typedef struct runge_kutta {
    const ic_phase *phase;
    size_t n;
    double h;
    double t0, t1;

    /* Start of the phase, if its flow is steep there, otherwise -INFINITY; length of the first step. */
    double steep_start;

    /* time before which the next step ends */
    double before;

    /* number of halvings towards the event that is ahead */
    int halvings;

    /* Modes by number: whether the equations have roots, or are not known. */
    bool *has_roots;

    double *x0, *x1, *f0, *f1;
    /*
     * Rounding errors of x0 and x1, to be added: a thousand steps would otherwise move an event from the time
     * event with which it coincides.
     */
    double *rest0, *rest1;

    double *k[4], *stage, *scratch;

    /* keeps guards clear within a step, of which those affine in the state are cubics and need no probes */
    ic_clearance clearance;

    /* at the thirds of a step */
    double *at_probe[2];

    double *memory;
} runge_kutta;

static bool may_have_roots(const ic_equations *equations)
{
    if (equations == NULL) return true;
    for (size_t i = 0; i < equations->n_terms; i++) {
        const ic_equation_term *term = &equations->terms[i];
        if (term->operation == IC_OP_SQRT) return true;
        if (term->operation != IC_OP_POWER) continue;
        const ic_equation_term *exponent = &equations->terms[term->b];
        if (exponent->operation != IC_OP_NUMBER || exponent->number != rint(exponent->number)) return true;
    }
    return false;
}

/* ---- the cubic between the ends of a step, and the workspace */

static void interpolate_state(void *self, double t, double *x)
{
    const runge_kutta *s = self;
    const ic_cubic cubic = {s->n, s->t0, s->t1, s->x0, s->f0, s->x1, s->f1};
    ic_cubic_state(&cubic, t, x);
}

static void place_probe(void *self, int k)
{
    runge_kutta *s = self;
    interpolate_state(s, s->t0 + s->clearance.at[k] * (s->t1 - s->t0), s->at_probe[k]);
}

static ic_status open_workspace(runge_kutta *s, const ic_problem *problem)
{
    const ic_variant *variant = problem->variant;
    const size_t n = problem->system->n_states, stride = ic_stride_of(n);
    double **vectors[] = {&s->x0,   &s->x1,   &s->f0,    &s->f1,      &s->rest0,       &s->rest1,      &s->k[1],
                          &s->k[2], &s->k[3], &s->stage, &s->scratch, &s->at_probe[0], &s->at_probe[1]};
    s->memory = ic_vectors_take(IC_COUNT(vectors), stride);
    s->has_roots = calloc(variant->n_modes, sizeof *s->has_roots);
    if (s->memory == NULL || s->has_roots == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < variant->n_modes; i++) s->has_roots[i] = may_have_roots(variant->modes[i].equations);
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = s->memory + i * stride;
    s->clearance = ic_clearance_by_thirds;
    s->clearance.x = s->at_probe[0];
    s->clearance.stride = stride;
    s->clearance.place = place_probe;
    s->k[0] = s->f0;
    s->n = n;
    return IC_OK;
}

/* ---- a step in time, dx/dt = f */

static const double *step_in_time(void *self, double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    runge_kutta *s = self;
    /* locals, which no number that is stored can change */
    const size_t n = s->n;
    const double *const x0 = s->x0, *const rest0 = s->rest0;
    double *const stage = s->stage, *const x1 = s->x1, *const rest1 = s->rest1;
    for (int i = 1; i < 4; i++) {
        const double *const slope = s->k[i - 1], length = h * part[i];
        for (size_t j = 0; j < n; j += 2)
            ic_put_two(stage + j, ic_two_at(x0 + j) + length * ic_two_single(slope + j));
        ic_phase_flow(s->phase, s->k[i], s->t0 + part[i] * h, stage);
    }
    const double *const k0 = s->k[0], *const k1 = s->k[1], *const k2 = s->k[2], *const k3 = s->k[3];
    for (size_t j = 0; j < n; j += 2) {
        const ic_two_states before = ic_two_at(k0 + j) + 2 * ic_two_at(k1 + j) + 2 * ic_two_at(k2 + j);
        const ic_two_states by = h / 6 * (before + ic_two_single(k3 + j)) + ic_two_at(rest0 + j);
        const ic_two_states start = ic_two_at(x0 + j), end = start + by, passed = end - start;
        ic_put_two(x1 + j, end);
        ic_put_two(rest1 + j, (start - (end - passed)) + (by - passed));
    }
    s->t1 = s->t0 + h;
    return s->x1;
}

/* ---- a step in the guard, dx/dg = f/r, dt/dg = 1/r */

/* Step from (t0, x0) to (t1, x1) with g = 0. false: this is not safe. */
static bool step_in_guard(runge_kutta *s, size_t guard)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    double rate[4], t = s->t0, least = INFINITY, most = 0;
    const double g0 = ic_phase_guard(s->phase, guard, s->t0, s->x0);
    const double dg = -g0;
    for (int i = 0; i < 4; i++) {
        if (i == 0) {
            memcpy(s->stage, s->x0, s->n * sizeof *s->stage);
        } else {
            t = s->t0 + dg * part[i] / rate[i - 1];
            for (size_t j = 0; j < s->n; j++) {
                s->stage[j] = s->x0[j] + dg * part[i] * s->k[i - 1][j] / rate[i - 1];
            }
            ic_phase_flow(s->phase, s->k[i], t, s->stage);
        }
        rate[i] = ic_phase_guard_rate(s->phase, guard, t, s->stage);
        if (!(rate[i] * dg > 0)) return false;
        least = fmin(least, fabs(rate[i]));
        most = fmax(most, fabs(rate[i]));
    }
    if (!(most <= MOST_RATE_CHANGE * least)) return false;
    const double dt = dg / 6 * (1 / rate[0] + 2 / rate[1] + 2 / rate[2] + 1 / rate[3]);
    for (size_t j = 0; j < s->n; j++) {
        s->x1[j] = s->x0[j] + dg / 6 *
                                  (s->k[0][j] / rate[0] + 2 * s->k[1][j] / rate[1] + 2 * s->k[2][j] / rate[2] +
                                   s->k[3][j] / rate[3]);
    }
    s->t1 = s->t0 + dt;
    return true;
}

/* ---- steep ends of a phase */

/* Whether the flow along the cubic is steep at the time `end`, of which `from` is the other end of the way. */
static bool is_steep(runge_kutta *s, double from, double end)
{
    const double part[3] = {1.0 / 2, 1.0 / 512, 1.0 / 131072};
    if (!s->has_roots[s->phase->mode_index]) return false;
    for (int i = 0; i < 3; i++) {
        const double t = end + part[i] * (from - end);
        interpolate_state(s, t, s->stage);
        ic_phase_flow(s->phase, s->k[i + 1], t, s->stage);
    }
    for (size_t j = 0; j < s->n; j++) {
        const double far = s->k[2][j] - s->k[1][j], near = s->k[3][j] - s->k[2][j];
        const double rounding = DBL_EPSILON * s->phase->scale[j] / s->h;
        if (fabs(near) > STEEP * fabs(far) + rounding) return true;
    }
    return false;
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    runge_kutta *s = self;
    s->phase = phase;
    s->h = phase->options->step > 0 ? phase->options->step : ic_default_step(phase->problem);
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    memset(s->rest0, 0, s->n * sizeof *s->rest0);
    ic_phase_flow(phase, s->f0, s->t0, s->x0);
    s->before = INFINITY;
    s->halvings = 0;
    s->t1 = s->t0 + s->h;
    for (size_t j = 0; j < s->n; j++) s->x1[j] = s->x0[j] + s->h * s->f0[j];
    memcpy(s->f1, s->f0, s->n * sizeof *s->f1);
    s->steep_start = is_steep(s, s->t1, s->t0) ? s->t0 : -INFINITY;
    return IC_OK;
}

/*
 * The end of the step that starts at t0: the next point of the grid, or t_stop, or a point between them beside a
 * steep end.
 */
static double step_end(const runge_kutta *s)
{
    const double since = s->t0 - s->steep_start;
    if (since < s->h / 2) {
        const double first = s->steep_start + fmax(2 * since, ldexp(s->h, -HALVINGS));
        if (first < fmin(s->before, s->phase->t_stop)) return first;
    }
    if (s->before < s->phase->t_stop) return s->before;
    const double t_start = s->phase->problem->t_start;
    double next = t_start + s->h * (floor((s->t0 - t_start) / s->h + LEAST_STEP) + 1);
    if (next - s->t0 < LEAST_STEP * s->h) next += s->h;
    return next > s->phase->t_stop - LEAST_STEP * s->h ? s->phase->t_stop : next;
}

static ic_status land_on_event(runge_kutta *s, ic_phase *phase, double located)
{
    const double t_end = s->t1;
    const size_t i = (size_t)phase->fired;
    phase->work->root_iterations++;
    /* a guard that departs from zero in this step can return to it only against its first rate */
    const bool departs = phase->arming[i].order > 0;
    if (!departs && step_in_guard(s, i) && s->t1 <= t_end + (t_end - s->t0)) return IC_OK;
    double t = located;
    ic_status status = ic_log_note(phase->log, IC_NOTE_FALLBACK, located, ic_phase_guard_name(phase, i));
    if (status == IC_OK) status = ic_land_by_steps(phase, s->t0, t_end - s->t0, &t, step_in_time, NULL, s);
    s->t1 = t;
    return status;
}

/* Whether the step is to be taken again, half as far towards an event at t: the flow is steep there. */
static bool halves_step(runge_kutta *s, double t)
{
    if (s->halvings == HALVINGS || !(t > s->t0) || !(ldexp(t - s->t0, -1) > LEAST_STEP * s->h)) return false;
    if (s->halvings == 0 && !is_steep(s, s->t0, t)) return false;
    s->halvings++;
    s->before = s->t0 + (t - s->t0) / 2;
    return true;
}

static ic_status find_first_event(runge_kutta *s, ic_phase *phase, double *t)
{
    const ic_step step = {.t0 = s->t0,
                          .t1 = s->t1,
                          .x0 = s->x0,
                          .x1 = s->x1,
                          .interpolate = interpolate_state,
                          .self = s,
                          .scratch = s->scratch,
                          .nodes = GUARD_NODES,
                          .narrow = ic_narrow_by_bisection,
                          .is_polynomial = true};
    return ic_step_find_event(phase, &step, &s->clearance, t);
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    runge_kutta *s = self;
    while (phase->t < phase->t_stop) {
        double t = 0;
        const double end = step_end(s);
        if (ic_has_to_end(phase->options, ++phase->work->steps)) return IC_TOO_MUCH_WORK;
        step_in_time(s, end - s->t0);
        s->t1 = end;
        ic_phase_flow(phase, s->f1, s->t1, s->x1);
        if (!ic_states_are_finite(s->x1, s->n) || !ic_states_are_finite(s->f1, s->n)) return IC_NOT_FINITE;
        ic_status status = find_first_event(s, phase, &t);
        if (status != IC_OK) return status;
        if (phase->fired >= 0) {
            if (t <= s->t0) return IC_OK; /* at the start of the step: the state does not change */
            if (halves_step(s, t)) {
                phase->fired = -1;
                continue;
            }
            status = land_on_event(s, phase, t);
            ic_phase_flow(phase, s->f1, s->t1, s->x1);
        }
        if (status == IC_OK) status = ic_phase_observe(phase, s->t0, s->t1, 1, interpolate_state, s);
        phase->t = s->t1;
        memcpy(phase->x, s->x1, s->n * sizeof *s->x1);
        if (status != IC_OK || phase->fired >= 0) return status;
        s->t0 = s->t1;
        s->before = INFINITY;
        double *const x = s->x0, *const rest = s->rest0, *const f = s->f0;
        s->x0 = s->x1, s->rest0 = s->rest1, s->f0 = s->k[0] = s->f1;
        s->x1 = x, s->rest1 = rest, s->f1 = f;
    }
    phase->fired = -1;
    return IC_OK;
}

static ic_status solve_rk4(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    runge_kutta workspace = {0};
    ic_status status = open_workspace(&workspace, problem);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    free(workspace.has_roots);
    free(workspace.memory);
    return status;
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
