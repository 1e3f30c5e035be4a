/* SPDX-License-Identifier: MIT */
/**
 * Bogacki-Shampine 5(4) with dense output, bisection for events, and a repeated step onto each event.
 *
 * P. Bogacki, L. F. Shampine, An efficient Runge-Kutta (4,5) pair, Comput. Math. Appl. 32 (1996) 15-28; PI step
 * control (core/step_control.h). The pair has seven stages and the slope at the end, one stage more than that of
 * Dormand and Prince, for which the coefficients of its error of order 6 are 18 times smaller (norms 2.2e-5 and
 * 4.0e-4): at equal error its steps are 1.8 times as long.
 *
 * The step is controlled by
 *
 *     err = 4 || e_i / (rtol (scale_i + max(|x_i|, |x_i+h|))) ||_rms <= 1,
 *
 * with the scale of each state, from the case, as the absolute part, and the sum of e_i^2 over both estimates of the
 * pair. Either alone vanishes at some places of a force's onset (d^1.5, a kink) in the step, and is then too small by
 * factors of 1e3 to 5e4; together by some 400, that of Dormand and
 * Prince by 1e4 (a quadrature of tau^1, tau^1.5, tau^2 or tau^2.5 that begins at any place).
 *
 * Events. A guard is not searched if the cubic through its values and rates at both ends of the step stays
 * clear of zero by more than it may differ from the guard. Otherwise every root of each guard along the
 * interpolant is isolated (core/step_events.h): for a guard that is affine in the state no root of the interpolant is
 * missed, not even a pair. The first root in the direction of its guard is located by bisection. The
 * state at an event near the end of the step follows from there by two slopes; otherwise the step is repeated
 * from its start with that length. In both cases it has the accuracy of a step and not of the
 * interpolant, and the rate of the guard corrects the time until it changes by less than event_tol.
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
 * The estimates are multiplied by this factor. With it, runs have about the errors that those with the pair of Dormand
 * and Prince have at the same tolerance: without it, up to 25 times those (measured on one preset of each case).
 */
#define ESTIMATE_FACTOR 4.0

/* Limits of the change of a step (Hairer, Norsett & Wanner, II.4). */
#define LEAST_FACTOR 0.2
#define MOST_FACTOR 10.0

/* Probes at the thirds of a step. For a guard affine in the state c is a constant, which one probe determines. */
enum { PROBES = 2, PROBES_IF_AFFINE = 1 };

/* Vectors of states in the workspace: slopes, coefficients of the interpolant, then these. */
enum {
    X0,
    X1,
    SCALE,
    STAGE,
    SCRATCH,
    AT_PROBE,

    SINGLE = AT_PROBE + PROBES,
    VECTORS = STAGES + INTERPOLANT_DEGREE + SINGLE,
};

typedef struct bogacki_shampine {
    const ic_phase *phase;
    size_t n, stride;
    ic_step_control control;
    double t0, t1, h;

    /* the flow of the mode, and its parameters */
    void (*flow)(double *dxdt, double t, const double *x, const double *par);
    const double *par;

    /* slope i begins at k + i stride: 0 at the start and 7 at the end of the step; coefficient m at d + m stride */
    double *k, *d;

    /* d is valid */
    bool has_interpolant;

    double *x0, *x1;

    /* scale of each state; two states; states at the probes */
    double *scale, *stage, *scratch, *at_probe;
    ic_clearance clearance;
} bogacki_shampine;

static void place_probe(void *self, int k);

static ic_status open_workspace(bogacki_shampine *s, size_t n)
{
    const size_t stride = ic_stride_of(n);
    *s = (bogacki_shampine){
        .n = n, .stride = stride, .control = ic_step_control_of_order(5, LEAST_FACTOR, MOST_FACTOR)};
    s->k = ic_vectors_take(VECTORS, stride);
    if (s->k == NULL) return IC_NO_MEMORY;
    s->d = s->k + STAGES * stride;
    double *const single = s->d + INTERPOLANT_DEGREE * stride;
    s->x0 = single + X0 * stride;
    s->x1 = single + X1 * stride;
    s->scale = single + SCALE * stride;
    s->stage = single + STAGE * stride;
    s->scratch = single + SCRATCH * stride;
    s->at_probe = single + AT_PROBE * stride;
    s->clearance = ic_clearance_by_thirds;
    s->clearance.n_affine = PROBES_IF_AFFINE;
    s->clearance.x = s->at_probe;
    s->clearance.stride = stride;
    s->clearance.place = place_probe;
    s->scale[n - 1 + n % 2] = 1; /* of the number beyond an odd n, which must not be 0/0 */
    return IC_OK;
}

/* ---- a step; the inlined functions are compiled for the stride of small systems and for any stride */

IC_INLINED void compute_stage(bogacki_shampine *s, int i, double *x, size_t stride)
{
    ic_add_slopes(i, a[i], s->k, stride, s->n, s->x0, s->h, x);
    s->flow(s->k + (size_t)i * stride, s->t0 + node[i] * s->h, x, s->par);
}

IC_INLINED void compute_stages(bogacki_shampine *s, size_t stride)
{
    compute_stage(s, 1, s->stage, stride);
    compute_stage(s, 2, s->stage, stride);
    compute_stage(s, 3, s->stage, stride);
    compute_stage(s, 4, s->stage, stride);
    compute_stage(s, 5, s->stage, stride);
    compute_stage(s, 6, s->stage, stride);
    compute_stage(s, 7, s->x1, stride);
}

/* Take a step of length h from (t0, x0) to (t1, x1), with slope 0 known. */
static void take_step(bogacki_shampine *s, double h)
{
    s->h = h;
    s->t1 = s->t0 + h;
    s->has_interpolant = false;
    if (s->stride == IC_SMALL_STRIDE) compute_stages(s, IC_SMALL_STRIDE);
    else compute_stages(s, s->stride);
    s->phase->work->flow_calls += STAGES - 1;
}

IC_INLINED double error_of_step(const bogacki_shampine *s, size_t stride)
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
static double estimate_error(const bogacki_shampine *s)
{
    return s->stride == IC_SMALL_STRIDE ? error_of_step(s, IC_SMALL_STRIDE) : error_of_step(s, s->stride);
}

static double try_step(void *self, double h)
{
    take_step(self, h);
    return estimate_error(self);
}

static const double *repeat_step(void *self, double h)
{
    bogacki_shampine *s = self;
    take_step(s, h);
    return s->x1;
}

static double *end_slope(const bogacki_shampine *s)
{
    return s->k + (STAGES - 1) * s->stride;
}

/* Moves the end of the step by d; the curvature is the change of the slope since the last stage before the end. */
static const double *slide_end(void *self, double d)
{
    bogacki_shampine *s = self;
    if (!ic_slide_state(s->phase, d, s->k + LAST_BEFORE_END * s->stride, end_slope(s),
                        (1 - node[LAST_BEFORE_END]) * s->h, s->x1))
        return NULL;
    s->t1 += d;
    s->has_interpolant = false;
    return s->x1;
}

/* ---- the interpolant */

IC_INLINED void compute_dense(bogacki_shampine *s, size_t stride)
{
    for (size_t j = 0; j < s->n; j += 2) {
        const ic_two_states difference = ic_two_at(s->x1 + j) - ic_two_at(s->x0 + j);
        const ic_two_states bulge = s->h * ic_two_at(s->k + j) - difference;
        ic_put_two(s->d + j, difference);
        ic_put_two(s->d + stride + j, bulge);
        ic_put_two(s->d + 2 * stride + j, difference - s->h * ic_two_at(end_slope(s) + j) - bulge);
    }
    ic_scale_slopes(STAGES, dense_weight, s->k, stride, s->n, s->h, s->d + 3 * stride);
}

static void prepare_interpolant(bogacki_shampine *s)
{
    if (s->stride == IC_SMALL_STRIDE) compute_dense(s, IC_SMALL_STRIDE);
    else compute_dense(s, s->stride);
    s->has_interpolant = true;
}

static void interpolate_state(void *self, double t, double *x)
{
    bogacki_shampine *s = self;
    if (!s->has_interpolant) prepare_interpolant(s);
    const double length = s->t1 - s->t0, p = length > 0 ? (t - s->t0) / length : 0;
    if (s->stride == IC_SMALL_STRIDE)
        ic_interpolate(INTERPOLANT_DEGREE, s->d, IC_SMALL_STRIDE, s->n, s->x0, p, x);
    else ic_interpolate(INTERPOLANT_DEGREE, s->d, s->stride, s->n, s->x0, p, x);
}

IC_INLINED void place_probe_of(bogacki_shampine *s, int k, size_t stride)
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
    bogacki_shampine *s = self;
    if (s->stride != IC_SMALL_STRIDE) place_probe_of(s, k, s->stride);
    else if (k == 0) place_probe_of(s, 0, IC_SMALL_STRIDE);
    else place_probe_of(s, 1, IC_SMALL_STRIDE);
}

/* The step as the search for events sees it. */
static ic_step search_of(bogacki_shampine *s)
{
    return (ic_step){.t0 = s->t0,
                     .t1 = s->t1,
                     .x0 = s->x0,
                     .x1 = s->x1,
                     .interpolate = interpolate_state,
                     .self = s,
                     .scratch = s->scratch,
                     .nodes = INTERPOLANT_DEGREE + 1,
                     .narrow = ic_narrow_by_bisection,
                     .is_polynomial = true};
}

static ic_status find_first_event(bogacki_shampine *s, ic_phase *phase, double *t)
{
    const ic_step step = search_of(s);
    phase->fired = -1;
    if (ic_step_clear_guards(phase, &step, &s->clearance)) return IC_OK;
    return ic_step_first_event(phase, &step, t);
}

/* Whether the state at the event at *t follows from the end of the step; it is then `stage`, and *t corrected. */
static bool lands_near_end(bogacki_shampine *s, ic_phase *phase, double *t)
{
    const ic_step step = search_of(s);
    return ic_land_near_end(phase, &step, end_slope(s), t, s->stage);
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    bogacki_shampine *s = self;
    s->phase = phase;
    s->flow = phase->mode->flow;
    s->par = phase->problem->par;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    memcpy(s->scale, phase->scale, s->n * sizeof *s->scale);
    ic_phase_flow(phase, s->k, s->t0, s->x0);
    ic_step_control_begin(&s->control, phase, s->k);
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    bogacki_shampine *s = self;
    while (phase->t < phase->t_stop) {
        double t = 0;
        s->control.aim = ic_step_expected_event(phase, s->t0, s->control.h);
        ic_status status = ic_step_control_accept(&s->control, phase, s->t0, s->k, try_step, s, &s->t1);
        if (status == IC_OK) status = find_first_event(s, phase, &t);
        if (status != IC_OK) return status;
        ic_step_control_learn(&s->control, phase);
        const bool fired = phase->fired >= 0;
        if (fired && t <= s->t0) return IC_OK; /* at the start of the step: the state does not change */
        const bool near_end = fired && lands_near_end(s, phase, &t);
        if (fired && !near_end) {
            status = ic_land_by_steps(phase, s->t0, s->t1 - s->t0, &t, repeat_step, slide_end, s);
            if (status == IC_OK && ic_step_control_refuses(&s->control, phase, t - s->t0, estimate_error(s)))
                continue;
            s->t1 = t;
        }
        if (status != IC_OK) return status;
        phase->work->steps++;
        phase->t = near_end ? t : s->t1;
        memcpy(phase->x, near_end ? s->stage : s->x1, s->n * sizeof *s->x1);
        status = ic_phase_observe(phase, s->t0, phase->t, 2, interpolate_state, s);
        if (status != IC_OK || fired) return status;
        s->t0 = s->t1;
        ic_copy_states(s->x0, s->x1, s->n);
        ic_copy_states(s->k, end_slope(s), s->n); /* first same as last */
    }
    phase->fired = -1;
    return IC_OK;
}

static ic_status solve_rk45(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    bogacki_shampine workspace;
    ic_status status = open_workspace(&workspace, problem->system->n_states);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    free(workspace.k);
    return status;
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
