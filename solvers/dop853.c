/* SPDX-License-Identifier: MIT */
/**
 * Dormand-Prince 8(5,3) with an interpolant of order 7, ITP for events, and a repeated step onto
 * each event.
 *
 * E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993),
 * II.5 and II.6 (code DOP853); events by I. F. D. Oliveira, R. H. C. Takahashi, ACM Trans. Math.
 * Softw. 47 (2020) 5 (core/bracket.h).
 *
 * Twelve stages k_i make a step x1 = x0 + h sum_i b_i k_i of order 8; k_13 = f(t1, x1) is the first
 * stage of the next step. The error is estimated by two embedded methods, of orders 5 and 3,
 *
 *     err = h E5^2 / sqrt(E5^2 + 0.01 E3^2),    E = || sum_i e_i k_i / (rtol (scale_j + max(|x0_j|, |x1_j|))) ||_rms,
 *
 * which is of order h^8, since E5 is of order h^5 and E3 of order h^3. The scale of each state,
 * from the case, is the absolute part; err <= 1 accepts a step (core/step_control.h).
 *
 * The interpolant, with s = (t - t0)/h, D = x1 - x0, d_2 = h k_1 - D and d_3 = D - h k_13 - d_2,
 *
 *     x = x0 + s (D + (1-s) (d_2 + s (d_3 + (1-s) (d_4 + s (d_5 + (1-s) (d_6 + s d_7)))))),
 *
 * needs three more stages for d_4 to d_7. They are computed only if a state inside the step is
 * needed: for a sample, an extreme, or a guard that may cross there.
 *
 * Events. A guard cannot cross inside a step if the cubic through its values and rates at both ends
 * stays away from zero by more than 5.4 times the difference between guard and cubic at four
 * stages (see `clearance`). If a guard may cross, every root of each guard along the interpolant is
 * isolated (core/step_events.h): eight values determine a polynomial of the degree of the
 * interpolant, so for a guard that is affine in the state no root of the interpolant is missed, not
 * even a pair. The first root in the direction of its guard is located by ITP. The cubics of the last
 * step predict an event, so that a step ends close behind it; the state at the event then follows from the
 * end of the step and two slopes. Otherwise the step is repeated from its start with that length.
 * In both cases the state has the accuracy of a step and not of the interpolant, and the rate of the
 * guard corrects the time until it changes by less than event_tol.
 *
 * Grazing. A pair of crossings is found if the interpolant shows it, that is, if the guard dips
 * below zero by more than the error of a step. A touch is no event.
 *
 * If the flow is not smooth (as at the onset of a force d^1.5), the error estimate grows like a low
 * power of h. Steps are then rejected until they are short, and grow by up to MOST_FACTOR each
 * after the onset. E5 alone is too small there: its terms in tau^1.5 and in higher powers cancel if the
 * step is some 18 % of a Hertz contact; near this length E5 was found to be too small by factors of
 * up to 1e4. A second combination of the stages, which cancels at other lengths, is therefore added
 * to E5^2. Where the flow is smooth it is of order h^5 too.
 */
#include "core/event_loop.h"
#include "core/step_control.h"
#include "core/step_events.h"
#include "impactcheck/impactcheck.h"
#include "solvers/dop853_tableau.h"
#include "solvers/slope_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The coefficients of the interpolant are D, d_2, ..., d_7. */
enum { INTERPOLANT_DEGREE = 7 };

/* Limits of the change of a step (Hairer, Norsett & Wanner, code DOP853). */
#define LEAST_FACTOR (1. / 3)
#define MOST_FACTOR 6.0

/*
 * The stages at c = 1/4, 1/3, 3/5, 6/7 are the more accurate ones (stage order 5 and above). They
 * measure the difference between a guard and the cubic through its ends. For a guard affine in the
 * state the difference is s^2 (1-s)^2 times a cubic, which four values determine; anywhere in the
 * step it is at most 2.69 times, and without a factor s 22.4 times the greatest of them. The limits
 * double this to allow for the error of the stages.
 */
enum { PROBES = 4, LAST_BEFORE_END = 10 };
static const double probe_node[PROBES] = {1. / 4, 3. / 5, 1. / 3, 6. / 7};
static const double probe_weight[PROBES][4] = {IC_CUBIC_WEIGHTS(1. / 4), IC_CUBIC_WEIGHTS(3. / 5),
                                               IC_CUBIC_WEIGHTS(1. / 3), IC_CUBIC_WEIGHTS(6. / 7)};
static const ic_clearance clearance = {
    .n_probes = PROBES,
    .n_affine = PROBES,
    .n_far = 2,
    .at = probe_node,
    .weight = probe_weight,
    .within = 2 * 2.69,
    .departing = 2 * 22.4,
};

/* Vectors of states in the workspace: slopes of the stages, coefficients of the interpolant, then these. */
enum {
    X0,
    X1,
    SCALE,
    STAGE,
    SCRATCH,
    AT_PROBE,

    SINGLE = AT_PROBE + PROBES,
    VECTORS = DOP853_ALL_STAGES + INTERPOLANT_DEGREE + SINGLE,
};

typedef struct dop853 {
    const ic_phase *phase;
    size_t n, stride;
    ic_step_control control;

    /* the step from (t0, x0) to (t1, x1) */
    double h;

    double t0, t1;
    double *x0, *x1;

    /* the flow of the mode, and its parameters */
    void (*flow)(double *dxdt, double t, const double *x, const double *par);
    const double *par;

    /* slope i begins at k + i stride; coefficient m of the interpolant at d + m stride */
    double *k, *d;

    /* the slope at the end and d are valid */
    bool has_end_slope, has_interpolant;

    /* scale of each state; two states; states at the probes */
    double *scale, *stage, *scratch, *at_probe;
    ic_clearance clearance;
} dop853;

static ic_status open_workspace(dop853 *s, size_t n)
{
    const size_t stride = ic_stride_of(n);
    *s = (dop853){.n = n, .stride = stride, .control = ic_step_control_of_order(8, LEAST_FACTOR, MOST_FACTOR)};
    s->k = ic_vectors_take(VECTORS, stride);
    if (s->k == NULL) return IC_NO_MEMORY;
    s->d = s->k + DOP853_ALL_STAGES * stride;
    double *const single = s->d + INTERPOLANT_DEGREE * stride;
    s->x0 = single + X0 * stride;
    s->x1 = single + X1 * stride;
    s->scale = single + SCALE * stride;
    s->stage = single + STAGE * stride;
    s->scratch = single + SCRATCH * stride;
    s->at_probe = single + AT_PROBE * stride;
    s->clearance = clearance;
    s->clearance.x = s->at_probe;
    s->clearance.stride = stride;
    s->scale[n - 1 + n % 2] = 1; /* of the number beyond an odd n, which must not be 0/0 */
    return IC_OK;
}

static double *end_slope(const dop853 *s)
{
    return s->k + DOP853_END * s->stride;
}

/* ---- a step; the inlined functions are compiled for the stride of small systems and for any stride */

/* x = x0 + h sum_j a_ij k_j */
IC_INLINED void add_slopes(const dop853 *s, int i, double *x, size_t stride)
{
    ic_add_slopes(i, dop853_a[i], s->k, stride, s->n, s->x0, s->h, x);
}

IC_INLINED void compute_stage(dop853 *s, int i, double *x, size_t stride)
{
    add_slopes(s, i, x, stride);
    s->flow(s->k + (size_t)i * stride, s->t0 + dop853_node[i] * s->h, x, s->par);
}

IC_INLINED void compute_stages(dop853 *s, size_t stride)
{
    double *const x = s->stage, *const at_probe = s->at_probe;
    compute_stage(s, 1, x, stride);
    compute_stage(s, 2, x, stride);
    compute_stage(s, 3, x, stride);
    compute_stage(s, 4, x, stride);
    compute_stage(s, 5, at_probe + 2 * stride, stride);
    compute_stage(s, 6, at_probe, stride);
    compute_stage(s, 7, x, stride);
    compute_stage(s, 8, x, stride);
    compute_stage(s, 9, at_probe + stride, stride);
    compute_stage(s, 10, at_probe + 3 * stride, stride);
    compute_stage(s, 11, x, stride);
    add_slopes(s, DOP853_END, s->x1, stride);
}

/* Take a step of length h from (t0, x0) to (t1, x1), with slope 0 known. */
static void take_step(dop853 *s, double h)
{
    s->h = h;
    s->t1 = s->t0 + h;
    s->has_end_slope = s->has_interpolant = false;
    if (s->stride == IC_SMALL_STRIDE) compute_stages(s, IC_SMALL_STRIDE);
    else compute_stages(s, s->stride);
    s->phase->work->flow_calls += DOP853_STAGES - 1;
}

static void compute_end_slope(dop853 *s)
{
    if (!s->has_end_slope) ic_phase_flow(s->phase, end_slope(s), s->t1, s->x1);
    s->has_end_slope = true;
}

/* Stages 1 to 4 have no weight in the step and in its error. */
enum { FIRST_WITH_WEIGHT = 5 };

IC_INLINED double error_of_step(const dop853 *s, size_t stride)
{
    const double rtol = s->phase->options->rtol, per_time = 1 / fabs(s->h);
    const double *const with_weight = s->k + FIRST_WITH_WEIGHT * stride;
    ic_two_states sum_5 = {0}, sum_3 = {0};
    ic_two_answers strays = {0};
    for (size_t j = 0; j < s->n; j += 2) {
        const ic_two_states size = ic_two_sizes(s->scale, s->x0, s->x1, j), unit = 1 / (rtol * size);
        const ic_two_states h = unit * s->h, most = size * per_time;
        const ic_two_states e_5 = h * ic_sum_of_two(DOP853_STAGES, dop853_error_5, s->k, stride, j);
        const ic_two_states e_root = h * ic_sum_of_two(DOP853_STAGES, dop853_error_root, s->k, stride, j);
        /* the step of order 8 minus that of order 3 */
        const ic_two_states e_3 = unit * (ic_two_at(s->x1 + j) - ic_two_at(s->x0 + j)) -
                                  h * ic_sum_of_two(DOP853_STAGES, dop853_weight_3, s->k, stride, j);
        sum_5 += e_5 * e_5 + e_root * e_root;
        sum_3 += e_3 * e_3;
        IC_WRITTEN_OUT
        for (int i = 1; i < FIRST_WITH_WEIGHT; i++)
            strays |= ic_two_stray(s->k, s->k + (size_t)i * stride,
                                   dop853_node[i] / dop853_node[FIRST_WITH_WEIGHT], with_weight, most, j);
    }
    const double of_5 = sum_5[0] + sum_5[1], both = of_5 + 0.01 * (sum_3[0] + sum_3[1]);
    const double error = both == 0 ? 0 : of_5 / sqrt((double)s->n * both);
    return error <= 1 && (strays[0] | strays[1]) != 0 ? IC_STRAYED : error;
}

/* err of the last step; IC_STRAYED if a stage without weight strays */
static double estimate_error(const dop853 *s)
{
    return s->stride == IC_SMALL_STRIDE ? error_of_step(s, IC_SMALL_STRIDE) : error_of_step(s, s->stride);
}

static double try_step(void *self, double h)
{
    dop853 *s = self;
    take_step(s, h);
    const double error = estimate_error(s);
    if (!(error <= 1)) return error;
    compute_end_slope(s);
    /* no stage is at x1, which may lie outside the domain of the flow even if all stages are inside */
    return ic_states_are_finite(end_slope(s), s->n) ? error : NAN;
}

static const double *repeat_step(void *self, double h)
{
    dop853 *s = self;
    take_step(s, h);
    return s->x1;
}

/* Moves the end of the step by d; the curvature is the change of the slope since the last stage before the end. */
static const double *slide_end(void *self, double d)
{
    dop853 *s = self;
    compute_end_slope(s);
    if (!ic_slide_state(s->phase, d, s->k + LAST_BEFORE_END * s->stride, end_slope(s),
                        (1 - dop853_node[LAST_BEFORE_END]) * s->h, s->x1))
        return NULL;
    s->t1 += d;
    return s->x1;
}

/* ---- the interpolant */

IC_INLINED void compute_dense(dop853 *s, size_t stride)
{
    compute_stage(s, 13, s->stage, stride);
    compute_stage(s, 14, s->stage, stride);
    compute_stage(s, 15, s->stage, stride);
    for (size_t j = 0; j < s->n; j += 2) {
        const ic_two_states difference = ic_two_at(s->x1 + j) - ic_two_at(s->x0 + j);
        const ic_two_states bulge = s->h * ic_two_at(s->k + j) - difference;
        ic_put_two(s->d + j, difference);
        ic_put_two(s->d + stride + j, bulge);
        ic_put_two(s->d + 2 * stride + j, difference - s->h * ic_two_at(end_slope(s) + j) - bulge);
    }
    IC_WRITTEN_OUT
    for (int m = 0; m < DOP853_DENSE; m++)
        ic_scale_slopes(DOP853_ALL_STAGES, dop853_dense[m], s->k, stride, s->n, s->h,
                        s->d + (size_t)(3 + m) * stride);
}

static void prepare_interpolant(dop853 *s)
{
    compute_end_slope(s);
    if (s->stride == IC_SMALL_STRIDE) compute_dense(s, IC_SMALL_STRIDE);
    else compute_dense(s, s->stride);
    s->phase->work->flow_calls += DOP853_ALL_STAGES - DOP853_END - 1;
    s->has_interpolant = true;
}

static void interpolate_state(void *self, double t, double *x)
{
    dop853 *s = self;
    if (!s->has_interpolant) prepare_interpolant(s);
    const double length = s->t1 - s->t0, p = length > 0 ? (t - s->t0) / length : 0;
    if (s->stride == IC_SMALL_STRIDE)
        ic_interpolate(INTERPOLANT_DEGREE, s->d, IC_SMALL_STRIDE, s->n, s->x0, p, x);
    else ic_interpolate(INTERPOLANT_DEGREE, s->d, s->stride, s->n, s->x0, p, x);
}

/* ---- guards */

/* The step as the search for events sees it. */
static ic_step search_of(dop853 *s)
{
    return (ic_step){.t0 = s->t0,
                     .t1 = s->t1,
                     .x0 = s->x0,
                     .x1 = s->x1,
                     .interpolate = interpolate_state,
                     .self = s,
                     .scratch = s->scratch,
                     .nodes = INTERPOLANT_DEGREE + 1,
                     .narrow = ic_narrow_by_itp,
                     .is_polynomial = true};
}

static ic_status find_first_event(dop853 *s, ic_phase *phase, double *t)
{
    const ic_step step = search_of(s);
    phase->fired = -1;
    if (ic_step_clear_guards(phase, &step, &s->clearance)) return IC_OK;
    return ic_step_first_event(phase, &step, t);
}

/* Whether the state at the event at *t follows from the end of the step; it is then `stage`, and *t corrected. */
static bool lands_near_end(dop853 *s, ic_phase *phase, double *t)
{
    const ic_step step = search_of(s);
    return ic_land_near_end(phase, &step, end_slope(s), t, s->stage);
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    dop853 *s = self;
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
    dop853 *s = self;
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
        status = ic_phase_observe(phase, s->t0, phase->t, INTERPOLANT_DEGREE - 2, interpolate_state, s);
        if (status != IC_OK || fired) return status;
        s->t0 = s->t1;
        ic_copy_states(s->x0, s->x1, s->n);
        ic_copy_states(s->k, end_slope(s), s->n); /* first same as last */
    }
    phase->fired = -1;
    return IC_OK;
}

static ic_status solve_dop853(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    dop853 workspace;
    ic_status status = open_workspace(&workspace, problem->system->n_states);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    free(workspace.k);
    return status;
}

const ic_solver ic_solver_dop853 = {
    IC_ABI(ic_solver),
    .name = "dop853",
    .title =
        "Dormand-Prince 8(5,3), PI step control, dense output of order 7, ITP and a retaken step at events",
    .source = "Dormand & Prince; Hairer, Norsett & Wanner 1993; Oliveira & Takahashi 2020",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 8,
    .control = IC_CONTROL_RTOL,
    .solve = solve_dop853,
};
