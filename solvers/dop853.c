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
 * stays away from zero by more than CLEARANCE times the difference between guard and cubic at four
 * stages (see there). If a guard may cross, every root of each guard along the interpolant is
 * isolated (core/step_events.h): eight values determine a polynomial of the degree of the
 * interpolant, so for a guard that is affine in the state no root of the interpolant is missed, not
 * even a pair. The first root in the direction of its guard is located by ITP, and the step is
 * repeated from its start with that length, so that the state at the event has the accuracy of a
 * step and not of the interpolant. The rate of the guard then corrects the length until it changes
 * by less than event_tol.
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

enum {
    /* D, d_2, ..., d_7 */
    INTERPOLANT_DEGREE = 7,

    ESTIMATES = 3,
};

/* Limits of the change of a step (Hairer, Norsett & Wanner, code DOP853). */
#define LEAST_FACTOR (1. / 3)
#define MOST_FACTOR 6.0

/*
 * The stages at c = 1/4, 1/3, 3/5, 6/7 are the more accurate ones (stage order 5 and above). They
 * measure the difference between a guard and the cubic through its ends. For a guard affine in the
 * state the difference is s^2 (1-s)^2 times a cubic, which four values determine; anywhere in the
 * step it is at most 2.69 times the greatest of them. CLEARANCE doubles this to allow for the error
 * of the stages.
 */
enum { PROBES = 4 };
static const int probe[PROBES] = {6, 5, 9, 10};
#define CLEARANCE (2 * 2.69)

/* A sum of slopes without the terms of weight 0, which are a quarter of the tableau. */
typedef struct slope_sum {
    int terms;
    double weight[DOP853_ALL_STAGES];
    double *slope[DOP853_ALL_STAGES];
} slope_sum;

typedef struct dop853 {
    const ic_phase *phase;
    size_t n;
    ic_step_control control;

    /* the step from (t0, x0) to (t1, x1) */
    double h;

    double t0, t1;
    double *x0, *x1;
    double *k[DOP853_ALL_STAGES];

    /* sums for the states at the stages, for E5, the second combination and E3, and for d_4 to d_7 */
    slope_sum to_stage[DOP853_ALL_STAGES], estimate[ESTIMATES], dense[DOP853_DENSE];

    /* the three estimates, and the magnitudes of the states in the step */
    double *error[ESTIMATES], *size;

    /* k[DOP853_END] and d are valid */
    bool has_end_slope, has_interpolant;

    /* coefficients of the interpolant */
    double *d[INTERPOLANT_DEGREE];

    /* states at the stages in `probe`; NULL for others */
    double *at_stage[DOP853_ALL_STAGES];

    double *stage, *scratch;
    double *memory;
} dop853;

static slope_sum without_zeros(int count, const double *weight, double *const *slope)
{
    slope_sum sum = {0};
    for (int i = 0; i < count; i++) {
        if (weight[i] == 0) continue;
        sum.weight[sum.terms] = weight[i];
        sum.slope[sum.terms++] = slope[i];
    }
    return sum;
}

static void prepare_sums(dop853 *s)
{
    double weight_3[DOP853_STAGES];
    for (int i = 0; i < DOP853_STAGES; i++) weight_3[i] = dop853_a[DOP853_END][i] - dop853_weight_3[i];
    for (int i = 1; i < DOP853_ALL_STAGES; i++) s->to_stage[i] = without_zeros(i, dop853_a[i], s->k);
    for (int m = 0; m < DOP853_DENSE; m++)
        s->dense[m] = without_zeros(DOP853_ALL_STAGES, dop853_dense[m], s->k);
    s->estimate[0] = without_zeros(DOP853_STAGES, dop853_error_5, s->k);
    s->estimate[1] = without_zeros(DOP853_STAGES, dop853_error_root, s->k);
    s->estimate[2] = without_zeros(DOP853_STAGES, weight_3, s->k);
}

static ic_status open_workspace(dop853 *s, size_t n)
{
    const size_t vectors = DOP853_ALL_STAGES + INTERPOLANT_DEGREE + PROBES + ESTIMATES + 5;
    *s = (dop853){.n = n,
                  .control = ic_step_control_of_order(8, LEAST_FACTOR, MOST_FACTOR),
                  .memory = calloc(vectors * n, sizeof(double))};
    if (s->memory == NULL) return IC_NO_MEMORY;
    double *at = s->memory;
    for (int i = 0; i < DOP853_ALL_STAGES; i++, at += n) s->k[i] = at;
    for (int i = 0; i < INTERPOLANT_DEGREE; i++, at += n) s->d[i] = at;
    for (int i = 0; i < PROBES; i++, at += n) s->at_stage[probe[i]] = at;
    for (int i = 0; i < ESTIMATES; i++, at += n) s->error[i] = at;
    s->x0 = at;
    s->x1 = at + n;
    s->stage = at + 2 * n;
    s->scratch = at + 3 * n;
    s->size = at + 4 * n;
    prepare_sums(s);
    return IC_OK;
}

/* ---- a step */

/* x = x0 + h sum_j a_ij k_j */
static void add_slopes(const dop853 *s, int i, double *x)
{
    const slope_sum *sum = &s->to_stage[i];
    ic_add_slopes(sum->terms, sum->weight, sum->slope, s->n, s->x0, s->h, x);
}

/* x = h times the sum */
static void scale_slopes(const dop853 *s, const slope_sum *sum, double *x)
{
    ic_scale_slopes(sum->terms, sum->weight, sum->slope, s->n, s->h, x);
}

static void compute_stage(dop853 *s, int i)
{
    double *x = s->at_stage[i] != NULL ? s->at_stage[i] : s->stage;
    add_slopes(s, i, x);
    ic_phase_flow(s->phase, s->k[i], s->t0 + dop853_node[i] * s->h, x);
}

/* Take a step of length h from (t0, x0) to (t1, x1), with k[0] known. */
static void take_step(dop853 *s, double h)
{
    s->h = h;
    s->t1 = s->t0 + h;
    s->has_end_slope = s->has_interpolant = false;
    for (int i = 1; i < DOP853_STAGES; i++) compute_stage(s, i);
    add_slopes(s, DOP853_END, s->x1);
}

static void compute_end_slope(dop853 *s)
{
    if (!s->has_end_slope) ic_phase_flow(s->phase, s->k[DOP853_END], s->t1, s->x1);
    s->has_end_slope = true;
}

/* Stages 1 to 4 have no weight in the step and in its error. */
enum { FIRST_WITH_WEIGHT = 5 };

/* err of the last step */
static double estimate_error(dop853 *s)
{
    const double rtol = s->phase->options->rtol;
    double sum_5 = 0, sum_3 = 0;
    ic_step_sizes(s->phase, s->x0, s->x1, s->size);
    for (int m = 0; m < ESTIMATES; m++) scale_slopes(s, &s->estimate[m], s->error[m]);
    for (size_t j = 0; j < s->n; j++) {
        const double unit = rtol * s->size[j];
        const double e_5 = s->error[0][j] / unit, e_root = s->error[1][j] / unit, e_3 = s->error[2][j] / unit;
        sum_5 += e_5 * e_5 + e_root * e_root;
        sum_3 += e_3 * e_3;
    }
    const double both = sum_5 + 0.01 * sum_3;
    return both == 0 ? 0 : sum_5 / sqrt((double)s->n * both);
}

static double try_step(void *self, double h)
{
    dop853 *s = self;
    take_step(s, h);
    const double error = estimate_error(s);
    if (!(error <= 1)) return error;
    for (int i = 1; i < FIRST_WITH_WEIGHT; i++) {
        if (ic_stage_strays(s->n, s->h, s->k[0], s->k[i], dop853_node[i], s->k[FIRST_WITH_WEIGHT],
                            dop853_node[FIRST_WITH_WEIGHT], s->size))
            return IC_STRAYED;
    }
    compute_end_slope(s);
    /*
     * no stage is at x1, which may lie outside the domain of the flow even if all stages are inside
     */
    for (size_t j = 0; j < s->n; j++) {
        if (!isfinite(s->k[DOP853_END][j])) return NAN;
    }
    return error;
}

static const double *repeat_step(void *self, double h)
{
    dop853 *s = self;
    take_step(s, h);
    return s->x1;
}

/* ---- the interpolant */

static void prepare_interpolant(dop853 *s)
{
    compute_end_slope(s);
    for (int i = DOP853_END + 1; i < DOP853_ALL_STAGES; i++) compute_stage(s, i);
    for (size_t j = 0; j < s->n; j++) {
        const double difference = s->x1[j] - s->x0[j], bulge = s->h * s->k[0][j] - difference;
        s->d[0][j] = difference;
        s->d[1][j] = bulge;
        s->d[2][j] = difference - s->h * s->k[DOP853_END][j] - bulge;
    }
    for (int m = 0; m < DOP853_DENSE; m++) scale_slopes(s, &s->dense[m], s->d[3 + m]);
    s->has_interpolant = true;
}

static void interpolate_state(void *self, double t, double *x)
{
    dop853 *s = self;
    if (!s->has_interpolant) prepare_interpolant(s);
    const double length = s->t1 - s->t0, p = length > 0 ? (t - s->t0) / length : 0, q = 1 - p;
    double weight[INTERPOLANT_DEGREE], factor = 1;
    for (int m = 0; m < INTERPOLANT_DEGREE; m++) weight[m] = factor *= m % 2 == 0 ? p : q;
    ic_add_slopes(INTERPOLANT_DEGREE, weight, s->d, s->n, s->x0, 1, x);
}

/* ---- guards */

/* The cubic with the values g and the slopes r (per step) at 0 and 1. */
static double cubic_at(double p, const double g[2], const double r[2])
{
    const double q = 1 - p;
    return q * q * ((1 + 2 * p) * g[0] + p * r[0]) + p * p * ((1 + 2 * q) * g[1] - q * r[1]);
}

/* Whether a guard stays away from zero throughout the step; see the head of the file. */
static bool guard_stays_clear(const dop853 *s, const ic_phase *phase, size_t i)
{
    const int side = phase->arming[i].side;
    double g[2], r[2], farthest = 0;
    if (phase->arming[i].order > 0) return false;
    g[0] = ic_phase_guard(phase, i, s->t0, s->x0);
    g[1] = ic_phase_guard(phase, i, s->t1, s->x1);
    if (!(g[0] * side > 0 && g[1] * side > 0)) return false;
    r[0] = s->h * ic_phase_guard_rate(phase, i, s->t0, s->x0);
    r[1] = s->h * ic_phase_guard_rate(phase, i, s->t1, s->x1);
    /* the cubic lies in the convex hull of its Bernstein coefficients */
    const double inner = fmin((g[0] + r[0] / 3) * side, (g[1] - r[1] / 3) * side);
    const double nearest = fmin(inner, fmin(g[0] * side, g[1] * side));
    if (!(nearest > 0)) return false;
    for (int k = 0; k < PROBES; k++) {
        const double p = dop853_node[probe[k]];
        const double value = ic_phase_guard(phase, i, s->t0 + p * s->h, s->at_stage[probe[k]]);
        farthest = fmax(farthest, isfinite(value) ? fabs(value - cubic_at(p, g, r)) : INFINITY);
    }
    return nearest > CLEARANCE * farthest;
}

static ic_status find_first_event(dop853 *s, ic_phase *phase, double *t)
{
    bool clear = true;
    for (size_t i = 0; i < phase->n_watched && clear; i++) clear = guard_stays_clear(s, phase, i);
    phase->fired = -1;
    if (clear) return IC_OK;
    const ic_step step = {.t0 = s->t0,
                          .t1 = s->t1,
                          .x0 = s->x0,
                          .x1 = s->x1,
                          .interpolate = interpolate_state,
                          .self = s,
                          .scratch = s->scratch,
                          .nodes = INTERPOLANT_DEGREE + 1,
                          .narrow = ic_narrow_by_itp};
    return ic_step_first_event(phase, &step, t);
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    dop853 *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    ic_phase_flow(phase, s->k[0], s->t0, s->x0);
    ic_step_control_begin(&s->control, phase, s->k[0]);
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    dop853 *s = self;
    while (phase->t < phase->t_stop) {
        double t = 0;
        ic_status status = ic_step_control_accept(&s->control, phase, s->t0, s->k[0], try_step, s, &s->t1);
        if (status == IC_OK) status = find_first_event(s, phase, &t);
        if (status != IC_OK) return status;
        if (phase->fired >= 0) {
            if (t <= s->t0) return IC_OK; /* at the start of the step: the state does not change */
            status = ic_land_by_steps(phase, s->t0, s->t1 - s->t0, &t, repeat_step, s);
            if (status == IC_OK && ic_step_control_refuses(&s->control, phase, t - s->t0, estimate_error(s)))
                continue;
            s->t1 = t;
        }
        if (status != IC_OK) return status;
        phase->work->steps++;
        phase->t = s->t1;
        memcpy(phase->x, s->x1, s->n * sizeof *s->x1);
        status = ic_phase_observe(phase, s->t0, s->t1, INTERPOLANT_DEGREE - 2, interpolate_state, s);
        if (status != IC_OK || phase->fired >= 0) return status;
        s->t0 = s->t1;
        memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
        memcpy(s->k[0], s->k[DOP853_END], s->n * sizeof *s->x0);
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
    free(workspace.memory);
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
