/* SPDX-License-Identifier: MIT */
/**
 * Dormand-Prince 5(4) with dense output, bisection for events, and a repeated step onto each event.
 *
 * J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6
 * (1980) 19-26; interpolant from E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
 * Equations I, 2nd ed. (1993), II.6; PI step control (core/step_control.h).
 *
 * The step is controlled by
 *
 *     err = || e_i / (rtol (scale_i + max(|x_i|, |x_i+h|))) ||_rms <= 1,
 *
 * with the scale of each state, from the case, as the absolute part.
 *
 * Events. After each step, every root of each guard along the interpolant is isolated
 * (core/step_events.h): for a guard that is affine in the state no root of the interpolant is
 * missed, not even a pair. The first root in the direction of its guard is located by bisection,
 * and the step is repeated from its start with that length, so that the state at the event has the
 * accuracy of a step and not of the interpolant. The rate of the guard then corrects the length
 * until it changes by less than event_tol.
 *
 * Grazing. A pair of crossings is found if the interpolant shows it, that is, if the guard dips
 * below zero by more than the error of a step. A touch is no event.
 */
#include "core/event_loop.h"
#include "core/step_control.h"
#include "core/step_events.h"
#include "impactcheck/impactcheck.h"
#include "solvers/slope_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7, INTERPOLANT_DEGREE = 4 };

static const double node[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};

static const double a[STAGES][STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};

/* fifth order minus embedded fourth order */
static const double error_weight[STAGES] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                            -17253. / 339200, 22. / 525, -1. / 40};

/* continuous extension of order 4 (Hairer, Norsett & Wanner, II.6) */
static const double dense_weight[STAGES] = {-12715105075. / 11282082432.,  0,
                                            87487479700. / 32700410799.,   -10690763975. / 1880347072.,
                                            701980252875. / 199316789632., -1453857185. / 822651844.,
                                            69997945. / 29380423.};

/* Limits of the change of a step (Hairer, Norsett & Wanner, II.4). */
#define LEAST_FACTOR 0.2
#define MOST_FACTOR 10.0

typedef struct dormand_prince {
    const ic_phase *phase;
    size_t n;
    ic_step_control control;
    double t0, t1;

    /* stages; k[0] at the start and k[6] at the end of the step */
    double *k[STAGES];

    double *x0, *x1;

    /* coefficients of the interpolant */
    double *dense[5];

    /* error of each state, and its magnitude in the step */
    double *error, *size;

    double *stage, *scratch;
    double *memory;
} dormand_prince;

static ic_status open_workspace(dormand_prince *s, size_t n)
{
    const size_t vectors = STAGES + 2 + 5 + 4;
    *s = (dormand_prince){.n = n,
                          .control = ic_step_control_of_order(5, LEAST_FACTOR, MOST_FACTOR),
                          .memory = calloc(vectors * n, sizeof(double))};
    if (s->memory == NULL) return IC_NO_MEMORY;
    double *at = s->memory;
    for (int i = 0; i < STAGES; i++, at += n) s->k[i] = at;
    for (int i = 0; i < 5; i++, at += n) s->dense[i] = at;
    s->x0 = at;
    s->x1 = at + n;
    s->stage = at + 2 * n;
    s->scratch = at + 3 * n;
    s->error = at + 4 * n;
    s->size = at + 5 * n;
    return IC_OK;
}

/* Take a step of length h from (t0, x0) to (t1, x1), with k[0] known. */
static void take_step(dormand_prince *s, double h)
{
    for (int i = 1; i < STAGES; i++) {
        double *x = i == STAGES - 1 ? s->x1 : s->stage;
        ic_add_slopes(i, a[i], s->k, s->n, s->x0, h, x);
        ic_phase_flow(s->phase, s->k[i], s->t0 + node[i] * h, x);
    }
    s->t1 = s->t0 + h;
}

/* Error err of the last step, which has length h. */
static double estimate_error(dormand_prince *s, double h)
{
    const double rtol = s->phase->options->rtol;
    double sum = 0;
    ic_step_sizes(s->phase, s->x0, s->x1, s->size);
    ic_scale_slopes(STAGES, error_weight, s->k, s->n, h, s->error);
    for (size_t j = 0; j < s->n; j++) {
        const double error = s->error[j] / (rtol * s->size[j]);
        sum += error * error;
    }
    const double error = sqrt(sum / (double)s->n);
    /* stage 1 has no weight */
    if (error <= 1 && ic_stage_strays(s->n, h, s->k[0], s->k[1], node[1], s->k[2], node[2], s->size))
        return IC_STRAYED;
    return error;
}

static double try_step(void *self, double h)
{
    take_step(self, h);
    return estimate_error(self, h);
}

static void prepare_interpolant(dormand_prince *s)
{
    const double h = s->t1 - s->t0;
    for (size_t j = 0; j < s->n; j++) {
        const double difference = s->x1[j] - s->x0[j], bulge = h * s->k[0][j] - difference;
        s->dense[0][j] = s->x0[j];
        s->dense[1][j] = difference;
        s->dense[2][j] = bulge;
        s->dense[3][j] = difference - h * s->k[6][j] - bulge;
    }
    ic_scale_slopes(STAGES, dense_weight, s->k, s->n, h, s->dense[4]);
}

static void interpolate_state(void *self, double t, double *x)
{
    const dormand_prince *s = self;
    const double h = s->t1 - s->t0, p = h > 0 ? (t - s->t0) / h : 0, q = 1 - p;
    for (size_t j = 0; j < s->n; j++) {
        x[j] = s->dense[0][j] +
               p * (s->dense[1][j] + q * (s->dense[2][j] + p * (s->dense[3][j] + q * s->dense[4][j])));
    }
}

static ic_status begin_phase(void *self, ic_phase *phase)
{
    dormand_prince *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    ic_phase_flow(phase, s->k[0], s->t0, s->x0);
    ic_step_control_begin(&s->control, phase, s->k[0]);
    return IC_OK;
}

static const double *repeat_step(void *self, double h)
{
    dormand_prince *s = self;
    take_step(s, h);
    return s->x1;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    dormand_prince *s = self;
    while (phase->t < phase->t_stop) {
        double t = 0;
        ic_status status = ic_step_control_accept(&s->control, phase, s->t0, s->k[0], try_step, s, &s->t1);
        if (status != IC_OK) return status;
        prepare_interpolant(s);
        const ic_step step = {.t0 = s->t0,
                              .t1 = s->t1,
                              .x0 = s->x0,
                              .x1 = s->x1,
                              .interpolate = interpolate_state,
                              .self = s,
                              .scratch = s->scratch,
                              .nodes = INTERPOLANT_DEGREE + 1,
                              .narrow = ic_narrow_by_bisection};
        status = ic_step_first_event(phase, &step, &t);
        if (status != IC_OK) return status;
        if (phase->fired >= 0) {
            if (t <= s->t0) return IC_OK; /* at the start of the step: the state does not change */
            status = ic_land_by_steps(phase, s->t0, s->t1 - s->t0, &t, repeat_step, s);
            const double h = t - s->t0;
            if (status == IC_OK && ic_step_control_refuses(&s->control, phase, h, estimate_error(s, h)))
                continue;
            s->t1 = t;
        }
        if (status != IC_OK) return status;
        prepare_interpolant(s);
        phase->work->steps++;
        phase->t = s->t1;
        memcpy(phase->x, s->x1, s->n * sizeof *s->x1);
        status = ic_phase_observe(phase, s->t0, s->t1, 2, interpolate_state, s);
        if (status != IC_OK || phase->fired >= 0) return status;
        s->t0 = s->t1;
        memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
        memcpy(s->k[0], s->k[6], s->n * sizeof *s->x0); /* first same as last */
    }
    phase->fired = -1;
    return IC_OK;
}

static ic_status solve_rk45(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    dormand_prince workspace;
    ic_status status = open_workspace(&workspace, problem->system->n_states);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    free(workspace.memory);
    return status;
}

const ic_solver ic_solver_rk45_bisection = {
    IC_ABI(ic_solver),
    .name = "rk45_bisection",
    .title = "Dormand-Prince 5(4), PI step control, dense output, bisection and a retaken step at events",
    .source = "Dormand & Prince 1980; Hairer, Norsett & Wanner 1993",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 5,
    .control = IC_CONTROL_RTOL,
    .solve = solve_rk45,
};
