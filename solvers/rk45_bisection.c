/* SPDX-License-Identifier: MIT */
/**
 * Bogacki-Shampine 5(4) with dense output, bisection for events, and states at events by slopes or a repeated
 * step.
 *
 * P. Bogacki, L. F. Shampine, An efficient Runge-Kutta (4,5) pair, Comput. Math. Appl. 32 (1996) 15-28; PI step
 * control (core/step_control.h). The pair has seven stages and the slope at the end, one stage more than that of
 * Dormand and Prince, for which the coefficients of its error of order 6 are 18 times smaller (norms 2.2e-5 and
 * 4.0e-4): at equal error its steps are 1.8 times as long.
 *
 * The step is controlled by
 *
 *     err = 2 || e_i / (rtol (scale_i + max(|x_i|, |x_i+h|))) ||_rms <= 1,
 *
 * with the scale of each state, from the case, as the absolute part, and the sum of e_i^2 over both estimates
 * of the pair. Either alone vanishes at some places of a force's onset (d^1.5, a kink) in the step, and is
 * then too small by factors of 1e3 to 5e4; together by some 400, that of Dormand and Prince by 1e4 (a
 * quadrature of tau^1, tau^1.5, tau^2 or tau^2.5 that begins at any place).
 *
 * Events. A guard is not searched if the cubic through its values and rates at both ends of the step stays
 * clear of zero, or crosses it once, by more than the cubic may differ from the guard; secants then locate the
 * crossing. Otherwise every root of each guard along the interpolant is isolated (core/step_events.h): for a
 * guard that is affine in the state no root of the interpolant is missed, not even a pair. The first root in
 * the direction of its guard is located by bisection. The state there follows from slopes near the end of a
 * step, or from a repeated one (solvers/runge_kutta/embedded.h).
 *
 * Grazing. A pair of crossings is found if the interpolant shows it, that is, if the guard dips
 * below zero by more than the error of a step. A touch is no event.
 */
#include "impactcheck/impactcheck.h"
#include "solvers/runge_kutta/embedded.h"

#include <math.h>

enum { STAGES = 8, LAST_BEFORE_END = 5, INTERPOLANT_DEGREE = 4 };

static const double node[STAGES] = {0, 1. / 6, 2. / 9, 3. / 7, 2. / 3, 3. / 4, 1, 1};

static const double a[STAGES][STAGES - 1] = {
    {0},
    {1. / 6},
    {2. / 27, 4. / 27},
    {183. / 1372, -162. / 343, 1053. / 1372},
    {68. / 297, -4. / 11, 42. / 143, 1960. / 3861},
    {597. / 22528, 81. / 352, 63099. / 585728, 58653. / 366080, 4617. / 20480},
    {174197. / 959244, -30942. / 79937, 8152137. / 19744439, 666106. / 1039181, -29421. / 29068,
     482048. / 414219},
    {587. / 8064, 0, 4440339. / 15491840, 24353. / 124800, 387. / 44800, 2152. / 5985, 7267. / 94080},
};

/* fifth order minus each of the two embedded methods of fourth order; the second one has the slope at the end */
static const double early_error_weight[STAGES] = {
    -3. / 1280, 0, 6561. / 632320, -343. / 20800, 243. / 12800, -1. / 95, 0, 0};
static const double error_weight[STAGES] = {3817. / 1959552,         0,
                                            -140181. / 15491840,     4224731. / 272937600,
                                            -8557. / 403200,         57928. / 4363065,
                                            23930231. / 4366535040., -3293. / 556956};

/*
 * Weights w_i of a continuous extension of order 4 without more stages: the cubic through states and slopes of both
 * ends plus s^2 (1-s)^2 h sum_i w_i k_i. The cubic lacks exactly s^2 (1-s)^2 / gamma of a tree of order 4 with the
 * density gamma, and nothing of smaller ones: sum_i w_i phi_i = 1/gamma and 0. Of the two free parameters one
 * makes the terms of order 5 small, the other is 0 with the last weight.
 */
static const double dense_weight[STAGES] = {-81901. / 53760,   0,         8869257. / 3261440, 11123. / 31200,
                                            -252873. / 179200, -13. / 10, 7267. / 6272,       0};

/*
 * The interpolant at a third of the step is x0 + 7/27 (x1 - x0) + h sum_i w_i k_i, at two thirds x0 + 20/27 (x1 - x0)
 * + h sum_i w_i k_i, with these w.
 */
#define THIRDS(at_start, at_end)                                                                               \
    {                                                                                                          \
        -81901. / 53760 * 4 / 81 + (at_start), 0, 8869257. / 3261440 * 4 / 81, 11123. / 31200 * 4 / 81,        \
            -252873. / 179200 * 4 / 81, -13. / 10 * 4 / 81, 7267. / 6272 * 4 / 81, -(at_end)                   \
    }
static const double third_weight[STAGES] = THIRDS(4. / 27, 2. / 27),
                    two_thirds_weight[STAGES] = THIRDS(2. / 27, 4. / 27);

/*
 * The estimates are multiplied by this factor. With it, runs take fewer slopes at the same tolerance than
 * those with the pair of Dormand and Prince. Their errors are a tenth of those in the median, and at most 3
 * times those (measured on one preset of each case, except at 1e-4, where two motions depend on single steps).
 */
#define ESTIMATE_FACTOR 2.0

/* Limits of the change of a step (Hairer, Norsett & Wanner, II.4). */
#define LEAST_FACTOR 0.2
#define MOST_FACTOR 10.0

/*
 * One of the probes at the thirds of a step (core/step_events.h) is sufficient for a guard that is affine in the
 * state: c, by which it differs from its cubic, is then a constant.
 */
enum { PROBES_IF_AFFINE = 1 };

/* ---- a step; the inlined functions are compiled for the stride of small systems and for any stride */

IC_INLINED void compute_stage(ic_embedded *s, int i, double *x, size_t stride)
{
    ic_add_slopes(i, a[i], s->k, stride, s->n, s->x0, s->h, x);
    s->flow(s->k + (size_t)i * stride, s->t0 + node[i] * s->h, x, s->par);
}

IC_INLINED void compute_stages(ic_embedded *s, size_t stride)
{
    compute_stage(s, 1, s->stage, stride);
    compute_stage(s, 2, s->stage, stride);
    compute_stage(s, 3, s->stage, stride);
    compute_stage(s, 4, s->stage, stride);
    compute_stage(s, 5, s->stage, stride);
    compute_stage(s, 6, s->stage, stride);
    compute_stage(s, 7, s->x1, stride);
}

static void take_stages(ic_embedded *s)
{
    if (s->stride == IC_SMALL_STRIDE) compute_stages(s, IC_SMALL_STRIDE);
    else compute_stages(s, s->stride);
    s->phase->work->flow_calls += STAGES - 1;
    s->has_end_slope = true;
}

IC_INLINED double error_of_step(const ic_embedded *s, size_t stride)
{
    const double per_time = 1 / fabs(s->h);
    ic_two_states sum = {0};
    ic_two_answers strays = {0}; /* stage 1 has no weight */
    for (size_t j = 0; j < s->n; j += 2) {
        const ic_two_states size = ic_two_sizes(s->scale, s->x0, s->x1, j);
        const ic_two_states unit = s->h / (s->phase->options->rtol * size);
        const ic_two_states error = unit * ic_sum_of_two(STAGES, error_weight, s->k, stride, j);
        const ic_two_states early = unit * ic_sum_of_two(STAGES, early_error_weight, s->k, stride, j);
        sum += error * error + early * early;
        strays |= ic_two_stray(s->k, s->k + stride, node[1] / node[2], s->k + 2 * stride, size * per_time, j);
    }
    const double error = ESTIMATE_FACTOR * sqrt((sum[0] + sum[1]) / (double)s->n);
    return error <= 1 && (strays[0] | strays[1]) != 0 ? IC_STRAYED : error;
}

/* Error err of the last step. */
static double estimate_error(const ic_embedded *s)
{
    return s->stride == IC_SMALL_STRIDE ? error_of_step(s, IC_SMALL_STRIDE) : error_of_step(s, s->stride);
}

static double try_step(void *self, double h)
{
    ic_embedded_step(self, h);
    return estimate_error(self);
}

/* ---- the interpolant */

IC_INLINED void compute_dense(ic_embedded *s, size_t stride)
{
    ic_embedded_cubic(s, s->k + (STAGES - 1) * stride, stride);
    ic_scale_slopes(STAGES, dense_weight, s->k, stride, s->n, s->h, s->d + 3 * stride);
}

static void interpolate_state(void *self, double t, double *x)
{
    ic_embedded *s = self;
    if (!s->has_interpolant && s->stride == IC_SMALL_STRIDE) compute_dense(s, IC_SMALL_STRIDE);
    else if (!s->has_interpolant) compute_dense(s, s->stride);
    s->has_interpolant = true;
    ic_embedded_interpolate(s, INTERPOLANT_DEGREE, t, x);
}

IC_INLINED void place_probe_of(ic_embedded *s, int k, size_t stride)
{
    for (size_t j = 0; j < s->n; j += 2) {
        const ic_two_states from = ic_two_at(s->x0 + j), step = ic_two_at(s->x1 + j) - from;
        const ic_two_states along = k == 0 ? 7. / 27 * step : 20. / 27 * step;
        const ic_two_states sum = k == 0 ? ic_sum_of_two(STAGES, third_weight, s->k, stride, j)
                                         : ic_sum_of_two(STAGES, two_thirds_weight, s->k, stride, j);
        ic_put_two(s->at_probe + (size_t)k * stride + j, from + along + s->h * sum);
    }
}

static void place_probe(void *self, int k)
{
    ic_embedded *s = self;
    if (s->stride != IC_SMALL_STRIDE) place_probe_of(s, k, s->stride);
    else if (k == 0) place_probe_of(s, 0, IC_SMALL_STRIDE);
    else place_probe_of(s, 1, IC_SMALL_STRIDE);
}

/* ---- the method */

static ic_status solve_rk45(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_embedded_method method = {
        .order = 5,
        .least_factor = LEAST_FACTOR,
        .most_factor = MOST_FACTOR,
        .slopes = STAGES,
        .end = STAGES - 1,
        .before_end = LAST_BEFORE_END,
        .node = node,
        .degree = INTERPOLANT_DEGREE,
        .narrow = ic_narrow_by_bisection,
        .clearance = ic_clearance_by_thirds,
        .take_stages = take_stages,
        .try_step = try_step,
        .estimate_error = estimate_error,
        .interpolate = interpolate_state,
    };
    method.clearance.n_affine = PROBES_IF_AFFINE;
    method.clearance.place = place_probe;
    return ic_embedded_solve(log, problem, options, &method);
}

const ic_solver ic_solver_rk45_bisection = {
    IC_ABI(ic_solver),
    .name = "rk45_bisection",
    .title = "Bogacki-Shampine 5(4), PI step control, dense output, bisection and a retaken step at events",
    .source = "Bogacki & Shampine 1996; Hairer, Norsett & Wanner 1993",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 5,
    .control = IC_CONTROL_RTOL,
    .solve = solve_rk45,
};
