/* SPDX-License-Identifier: MIT */
/**
 * Dormand-Prince 8(5,3) with an interpolant of order 7, ITP for events, and states at events by
 * slopes or by a repeated step.
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
 * stages (see `probe_node`). It crosses once if this shows a single crossing, which secants along the
 * interpolant locate. Otherwise every root of each guard along the interpolant is isolated
 * (core/step_events.h): eight values determine a polynomial of the degree of the interpolant, so for a
 * guard that is affine in the state no root of the interpolant is missed, not even a pair. The first root
 * in the direction of its guard is located by ITP. The state there follows from slopes at states of the
 * interpolant, or from a repeated step (solvers/runge_kutta/embedded.h).
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
#include "impactcheck/impactcheck.h"
#include "solvers/dop853_tableau.h"
#include "solvers/runge_kutta/embedded.h"

#include <math.h>

/* The coefficients of the interpolant are D, d_2, ..., d_7. */
enum { INTERPOLANT_DEGREE = 7 };

/* Limits of the change of a step (Hairer, Norsett & Wanner, code DOP853). */
#define LEAST_FACTOR (1. / 3)
#define MOST_FACTOR 6.0

/*
 * The stages at c = 1/4, 1/3, 3/5, 6/7 are the more accurate ones (stage order 5 and above). They
 * measure the difference between a guard and the cubic through its ends. For a guard affine in the
 * state the difference is s^2 (1-s)^2 times a cubic, which four values determine; anywhere in the
 * step it is at most 2.69 times, without a factor s 22.4 times, and its slope 28.7 times the greatest of
 * them. The limits double this to allow for the error of the stages.
 */
enum { PROBES = 4, LAST_BEFORE_END = 10 };
static const double probe_node[PROBES] = {1. / 4, 3. / 5, 1. / 3, 6. / 7};
static const double probe_weight[PROBES][4] = {IC_CUBIC_WEIGHTS(1. / 4), IC_CUBIC_WEIGHTS(3. / 5),
                                               IC_CUBIC_WEIGHTS(1. / 3), IC_CUBIC_WEIGHTS(6. / 7)};

/* ---- a step; the inlined functions are compiled for the stride of small systems and for any stride */

/* x = x0 + h sum_j a_ij k_j */
IC_INLINED void add_slopes(const ic_embedded *s, int i, double *x, size_t stride)
{
    ic_add_slopes(i, dop853_a[i], s->k, stride, s->n, s->x0, s->h, x);
}

IC_INLINED void compute_stage(ic_embedded *s, int i, double *x, size_t stride)
{
    add_slopes(s, i, x, stride);
    s->flow(s->k + (size_t)i * stride, s->t0 + dop853_node[i] * s->h, x, s->par);
}

IC_INLINED void compute_stages(ic_embedded *s, size_t stride)
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

static void take_stages(ic_embedded *s)
{
    if (s->stride == IC_SMALL_STRIDE) compute_stages(s, IC_SMALL_STRIDE);
    else compute_stages(s, s->stride);
    s->phase->work->flow_calls += DOP853_STAGES - 1;
}

/* Stages 1 to 4 have no weight in the step and in its error. */
enum { FIRST_WITH_WEIGHT = 5 };

IC_INLINED double error_of_step(const ic_embedded *s, size_t stride)
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
static double estimate_error(const ic_embedded *s)
{
    return s->stride == IC_SMALL_STRIDE ? error_of_step(s, IC_SMALL_STRIDE) : error_of_step(s, s->stride);
}

static double try_step(void *self, double h)
{
    ic_embedded *s = self;
    ic_embedded_step(s, h);
    const double error = estimate_error(s);
    if (!(error <= 1)) return error;
    ic_embedded_need_end_slope(s);
    /* no stage is at x1, which may lie outside the domain of the flow even if all stages are inside */
    return ic_states_are_finite(ic_embedded_end_slope(s), s->n) ? error : NAN;
}

/* ---- the interpolant */

IC_INLINED void compute_dense(ic_embedded *s, size_t stride)
{
    compute_stage(s, 13, s->stage, stride);
    compute_stage(s, 14, s->stage, stride);
    compute_stage(s, 15, s->stage, stride);
    ic_embedded_cubic(s, s->k + DOP853_END * stride, stride);
    IC_WRITTEN_OUT
    for (int m = 0; m < DOP853_DENSE; m++)
        ic_scale_slopes(DOP853_ALL_STAGES, dop853_dense[m], s->k, stride, s->n, s->h,
                        s->d + (size_t)(3 + m) * stride);
}

static void prepare_interpolant(ic_embedded *s)
{
    ic_embedded_need_end_slope(s);
    if (s->stride == IC_SMALL_STRIDE) compute_dense(s, IC_SMALL_STRIDE);
    else compute_dense(s, s->stride);
    s->phase->work->flow_calls += DOP853_ALL_STAGES - DOP853_END - 1;
    s->has_interpolant = true;
}

static void interpolate_state(void *self, double t, double *x)
{
    ic_embedded *s = self;
    if (!s->has_interpolant) prepare_interpolant(s);
    ic_embedded_interpolate(s, INTERPOLANT_DEGREE, t, x);
}

/* ---- the method */

static ic_status solve_dop853(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_embedded_method method = {
        .order = 8,
        .least_factor = LEAST_FACTOR,
        .most_factor = MOST_FACTOR,
        .slopes = DOP853_ALL_STAGES,
        .end = DOP853_END,
        .before_end = LAST_BEFORE_END,
        .node = dop853_node,
        .degree = INTERPOLANT_DEGREE,
        .narrow = ic_narrow_by_itp,
        .has_many_slopes = true,
        .clearance =
            {
                .n_probes = PROBES,
                .n_affine = PROBES,
                .n_far = 2,
                .at = probe_node,
                .weight = probe_weight,
                .within = 2 * 2.69,
                .departing = 2 * 22.4,
                .sloping = 2 * 28.7,
            },
        .take_stages = take_stages,
        .try_step = try_step,
        .estimate_error = estimate_error,
        .interpolate = interpolate_state,
    };
    return ic_embedded_solve(log, problem, options, &method);
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
