/* SPDX-License-Identifier: MIT */
/*
 * Computes exponentials and bounds of the modes of two lanes side by side, in states divided by
 * their scales, which are powers of 2. Only +, -, *, / and sqrt of IEEE 754 and few functions of
 * the C library are used, for each lane by itself: its numbers do not depend on the other one.
 *
 * With U = M/||M|| and theta = ||M|| h/2, the exponential is the polynomial of degree T = 14 whose
 * remainder limits h, as increments over the identity:
 *
 *     e^{Mh/2} - 1 = P = sum of theta^j U^j/j!,    e^{Mh} - 1 = 2 P + P^2.
 */
#include "core/model.h"
#include "sweep/batch/batch.h"
#include "sweep/batch/lane_forms.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Remainder of a series, relative to the states' scales. */
#define NEGLIGIBLE 0x1p-56
/* Rounding error of a guard's value divided by the sum of its terms. */
#define NOISE (16 * DBL_EPSILON)
/* Least number of parts in a period, so that a part ends in the next period at the latest. */
#define LEAST_PARTS 4.0
/*
 * With more parts than this in a period (because of a fast decay, which may have ended) the solver
 * is faster.
 */
#define MOST_PARTS 4096.0
/* Terms of bounds that are summed one by one. */
enum { TERMS = IC_BATCH_TERMS, BOUND_TERMS = 6 };

/* The exponential is evaluated in blocks of four powers. */
_Static_assert(TERMS == 14, "the blocks of the exponential have 14 terms");

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 9")

typedef ic_batch_pair pair;

/*
 * A polynomial in M: its rows for the states; below them `one` on the diagonal for the constant, and
 * turn + spin R for cos and sin, with R = [0 -1; 1 0].
 */
typedef struct pair_matrix {
    pair rows[IC_BATCH_STATES][IC_BATCH_COLUMNS];
    pair one, turn, spin;
} pair_matrix;

typedef struct pair_flow {
    /* U, ||M|| and h */
    pair_matrix u;
    pair norm, h;

    /* e^{||M|| h} */
    pair growth;

    /* whether a lane has coefficients */
    bool good[IC_BATCH_PAIR];
} pair_flow;

static ALWAYS_INLINE pair both(double x)
{
    return (pair){x, x};
}

static ALWAYS_INLINE pair modulus(pair x)
{
    return (pair){fabs(x[0]), fabs(x[1])};
}

static ALWAYS_INLINE pair root(pair x)
{
    return (pair){sqrt(x[0]), sqrt(x[1])};
}

/* ---- matrices */

static ALWAYS_INLINE void multiply_matrices(pair_matrix *restrict product, const pair_matrix *a,
                                            const pair_matrix *b, const int n)
{
    for (int i = 0; i < n; i++) {
        pair sum[IC_BATCH_COLUMNS];
        UNROLL
        for (int j = 0; j < n + 3; j++) sum[j] = both(0);
        for (int k = 0; k < n; k++) {
            const pair factor = a->rows[i][k];
            if (factor[0] == 0 && factor[1] == 0) continue;
            UNROLL
            for (int j = 0; j < n + 3; j++) sum[j] += factor * b->rows[k][j];
        }
        const pair cosine = a->rows[i][n + 1], sine = a->rows[i][n + 2];
        sum[n] += a->rows[i][n] * b->one;
        sum[n + 1] += cosine * b->turn + sine * b->spin;
        sum[n + 2] += sine * b->turn - cosine * b->spin;
        UNROLL
        for (int j = 0; j < n + 3; j++) product->rows[i][j] = sum[j];
    }
    product->one = a->one * b->one;
    product->turn = a->turn * b->turn - a->spin * b->spin;
    product->spin = a->turn * b->spin + a->spin * b->turn;
}

static ALWAYS_INLINE void add_matrix(pair_matrix *sum, pair factor, const pair_matrix *a, const int n)
{
    for (int i = 0; i < n; i++) {
        UNROLL
        for (int j = 0; j < n + 3; j++) sum->rows[i][j] += factor * a->rows[i][j];
    }
    sum->one += factor * a->one;
    sum->turn += factor * a->turn;
    sum->spin += factor * a->spin;
}

static ALWAYS_INLINE void add_identity(pair_matrix *sum, pair factor, const int n)
{
    for (int i = 0; i < n; i++) sum->rows[i][i] += factor;
    sum->one += factor;
    sum->turn += factor;
}

static ALWAYS_INLINE pair matrix_norm(const pair_matrix *a, const int n)
{
    pair most = modulus(a->turn) + modulus(a->spin);
    for (int i = 0; i < n; i++) {
        pair sum = {0};
        for (int j = 0; j < n + 3; j++) sum += modulus(a->rows[i][j]);
        for (int l = 0; l < IC_BATCH_PAIR; l++) {
            if (!(sum[l] <= most[l])) most[l] = sum[l];
        }
    }
    return most;
}

/* ---- the flow */

static ALWAYS_INLINE void scale_field(pair_flow *flow, const ic_batch_forms *forms, int mode, const int n)
{
    const ic_batch_mode_forms *m = &forms->modes[mode];
    pair_matrix *u = &flow->u;
    u->one = u->turn = both(0);
    u->spin = forms->frequency;
    for (int i = 0; i < n; i++) {
        const pair inverse = forms->inverse_scale[i];
        for (int j = 0; j < n; j++) u->rows[i][j] = m->flow[i][j] * forms->scale[j] * inverse;
        for (int j = n; j < n + 3; j++) u->rows[i][j] = m->flow[i][j] * inverse;
    }
    flow->norm = matrix_norm(u, n);
    pair inverse = 1 / flow->norm;
    for (int l = 0; l < IC_BATCH_PAIR; l++) {
        if (flow->norm[l] == 0) inverse[l] = 1;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n + 3; j++) u->rows[i][j] *= inverse;
    }
    u->spin *= inverse;
}

/*
 * The remainder after T terms of the series about the middle is about ||M^T|| (h/2)^T/T!. The norm
 * of the power is sharper than the power of the norm, which depends on the states' scales.
 */
static void choose_step(pair_flow *flow, pair power_norm, const double *period)
{
    static const double factorial = 87178291200.0; /* T! */
    for (int l = 0; l < IC_BATCH_PAIR; l++) {
        const double norm = flow->norm[l], most = period[l] / LEAST_PARTS;
        const double reach = 2 * pow(factorial * NEGLIGIBLE / power_norm[l], 1.0 / TERMS) / norm;
        flow->h[l] = norm > 0 ? fmin(reach, most) : most;
        flow->good[l] = isfinite(norm) && flow->h[l] * MOST_PARTS > period[l];
        if (!flow->good[l]) flow->h[l] = 0;
        flow->growth[l] = exp(norm * flow->h[l]);
    }
}

typedef double number_matrix[IC_BATCH_STATES][IC_BATCH_COLUMNS];

/* Stores factor a, in unscaled states, plus `identity` times the identity. */
static ALWAYS_INLINE void store_matrix(number_matrix *const *out, const pair_matrix *a,
                                       const ic_batch_forms *forms, pair factor, double identity, const int n)
{
    for (int i = 0; i < n; i++) {
        const pair scale = forms->scale[i] * factor;
        UNROLL
        for (int j = 0; j < n + 3; j++) {
            pair x = a->rows[i][j] * scale;
            if (j < n) x *= forms->inverse_scale[j];
            if (j == i) x += identity;
            for (int l = 0; l < IC_BATCH_PAIR; l++) (*out[l])[i][j] = x[l];
        }
    }
}

static void store_angles(ic_batch_coefficients *out, double h, double frequency)
{
    const double angle = frequency * h / 2, c = cos(angle), s = sin(angle);
    out->h = h;
    out->half_angle = angle;
    out->cos_half = c;
    out->sin_half = s;
    out->cos_h = 1 - 2 * s * s;
    out->sin_h = 2 * s * c;
}

static ALWAYS_INLINE void compute_flow(pair_flow *flow, const ic_batch_forms *forms, int mode,
                                       const double *period, ic_batch_coefficients *const *out, const int n)
{
    pair_matrix second, third, fourth, seventh, power, part, sum;
    pair factor[TERMS + 1]; /* theta^j/j! */
    scale_field(flow, forms, mode, n);
    multiply_matrices(&second, &flow->u, &flow->u, n);
    multiply_matrices(&third, &second, &flow->u, n);
    multiply_matrices(&fourth, &second, &second, n);
    multiply_matrices(&seventh, &fourth, &third, n);
    multiply_matrices(&power, &seventh, &seventh, n);
    choose_step(flow, matrix_norm(&power, n), period);
    const pair theta = flow->norm * flow->h * 0.5;
    factor[0] = both(1);
    for (int j = 1; j <= TERMS; j++) factor[j] = factor[j - 1] * theta * (1.0 / j);
    memset(&sum, 0, sizeof sum);
    add_matrix(&sum, factor[14], &second, n);
    add_matrix(&sum, factor[13], &flow->u, n);
    add_identity(&sum, factor[12], n);
    for (int j = 8; j >= 0; j -= 4) {
        multiply_matrices(&part, &fourth, &sum, n);
        sum = part;
        add_matrix(&sum, factor[j + 3], &third, n);
        add_matrix(&sum, factor[j + 2], &second, n);
        add_matrix(&sum, factor[j + 1], &flow->u, n);
        if (j > 0) add_identity(&sum, factor[j], n);
    }
    multiply_matrices(&part, &sum, &sum, n);
    add_matrix(&part, both(2), &sum, n);
    for (int l = 0; l < IC_BATCH_PAIR; l++) store_angles(out[l], flow->h[l], forms->frequency[l]);
    store_matrix((number_matrix *const[]){&out[0]->half, &out[1]->half}, &sum, forms, both(1), 1, n);
    store_matrix((number_matrix *const[]){&out[0]->step, &out[1]->step}, &part, forms, both(1), 1, n);
    store_matrix((number_matrix *const[]){&out[0]->rate, &out[1]->rate}, &flow->u, forms, theta, 0, n);
}

/* ---- guards */

/* Multiplies a scaled row by U and the factor: a time derivative of a linear form. */
static ALWAYS_INLINE void differentiate_row(pair *row, const pair_flow *flow, pair factor, const int n)
{
    pair next[IC_BATCH_COLUMNS];
    UNROLL
    for (int j = 0; j < n + 3; j++) next[j] = both(0);
    UNROLL
    for (int k = 0; k < n; k++) {
        UNROLL
        for (int j = 0; j < n + 3; j++) next[j] += row[k] * flow->u.rows[k][j];
    }
    next[n + 1] += row[n + 2] * flow->u.spin;
    next[n + 2] -= row[n + 1] * flow->u.spin;
    UNROLL
    for (int j = 0; j < n + 3; j++) row[j] = next[j] * factor;
}

/*
 * Bounds |r e^{Ms} z| over a part by the moduli of z at its start: the moduli of the first terms of
 * the series, and e^{||M|| h} times the norm of the next one for all others.
 */
static ALWAYS_INLINE void compute_bound(pair *bound, pair *term, const pair_flow *flow,
                                        const ic_batch_forms *forms, const int n)
{
    pair sum[IC_BATCH_STATES + 1], rest = both(0);
    const pair angle = flow->norm * flow->h;
    for (int j = 0; j <= n; j++) sum[j] = both(0);
    for (int order = 0; order < BOUND_TERMS; order++) {
        for (int j = 0; j < n; j++) sum[j] += modulus(term[j]);
        sum[n] += modulus(term[n]) + root(term[n + 1] * term[n + 1] + term[n + 2] * term[n + 2]);
        differentiate_row(term, flow, angle * (1.0 / (order + 1)), n);
    }
    for (int j = 0; j < n + 3; j++) rest += modulus(term[j]);
    rest *= flow->growth;
    for (int j = 0; j < n; j++) bound[j] = (sum[j] + rest) * forms->inverse_scale[j];
    bound[IC_BATCH_FORCED] = sum[n] + rest;
}

static void store_row(double *out, const pair *row, int lane, int n)
{
    for (int j = 0; j < n; j++) out[j] = row[j][lane];
}

static ALWAYS_INLINE void scale_row(pair *scaled, const pair *row, const ic_batch_forms *forms, const int n)
{
    for (int j = 0; j < n; j++) scaled[j] = row[j] * forms->scale[j];
    for (int j = n; j < n + 3; j++) scaled[j] = row[j];
}

static ALWAYS_INLINE void store_scaled(double *const *out, const pair *scaled, const ic_batch_forms *forms,
                                       const int n)
{
    pair row[IC_BATCH_COLUMNS];
    for (int j = 0; j < n; j++) row[j] = scaled[j] * forms->inverse_scale[j];
    for (int j = n; j < n + 3; j++) row[j] = scaled[j];
    for (int l = 0; l < IC_BATCH_PAIR; l++) store_row(out[l], row, l, n + 3);
}

static ALWAYS_INLINE void compute_guard(const pair_flow *flow, const ic_batch_forms *forms, int mode, int i,
                                        ic_batch_coefficients *const *out, const int n)
{
    const pair *value = forms->modes[mode].guards[i];
    const pair angle = flow->norm * flow->h;
    pair row[IC_BATCH_COLUMNS], bound[IC_BATCH_STATES + 1] = {{0}};
    scale_row(row, value, forms, n);
    differentiate_row(row, flow, angle, n);
    store_scaled((double *const[]){out[0]->slope[i], out[1]->slope[i]}, row, forms, n);
    differentiate_row(row, flow, angle * 0.125, n);
    store_scaled((double *const[]){out[0]->bend[i], out[1]->bend[i]}, row, forms, n);
    differentiate_row(row, flow, angle, n);
    differentiate_row(row, flow, angle * 0.125, n);
    compute_bound(bound, row, flow, forms, n);
    /* plus the rounding error of a value, so that no sign follows from it */
    for (int j = 0; j < n; j++) bound[j] += NOISE * modulus(value[j]);
    for (int j = n; j < n + 3; j++) bound[IC_BATCH_FORCED] += NOISE * modulus(value[j]);
    for (int l = 0; l < IC_BATCH_PAIR; l++) {
        store_row(out[l]->value[i], value, l, n + 3);
        store_row(out[l]->fourth[i], bound, l, IC_BATCH_STATES + 1);
    }
}

static ALWAYS_INLINE void compute_condition(const pair_flow *flow, const ic_batch_forms *forms, int mode, int i,
                                            ic_batch_coefficients *const *out, const int n)
{
    const pair *value = forms->modes[mode].conditions[i];
    const pair angle = flow->norm * flow->h;
    pair row[IC_BATCH_COLUMNS], bound[IC_BATCH_STATES + 1] = {{0}};
    scale_row(row, value, forms, n);
    differentiate_row(row, flow, angle, n);
    differentiate_row(row, flow, angle * 0.125, n);
    compute_bound(bound, row, flow, forms, n);
    for (int l = 0; l < IC_BATCH_PAIR; l++) {
        store_row(out[l]->condition[i], value, l, n + 3);
        store_row(out[l]->condition_bend[i], bound, l, IC_BATCH_STATES + 1);
    }
}

/* ---- jumps */

static void store_branches(const ic_batch_forms *forms, int mode, int i, ic_batch_coefficients *const *out)
{
    const ic_batch_shape *shape = forms->shape;
    const ic_batch_guard *guard = &shape->modes[mode].guards[i];
    const ic_batch_mode_forms *m = &forms->modes[mode];
    const int columns = shape->n + 3;
    for (int b = 0; b < guard->n_branches; b++) {
        for (int l = 0; l < IC_BATCH_PAIR; l++) {
            store_row(out[l]->branch_condition[i][b], m->branch_conditions[i][b], l, columns);
            for (int k = 0; k < shape->n_states && guard->branches[b].changes; k++)
                store_row(out[l]->branch_state[i][b][k], m->branch_states[i][b][k], l, columns);
        }
    }
}

/* ---- all modes */

/* Whether the coefficients of a mode are those that have been kept. */
static bool are_kept(const ic_batch_forms *forms, int mode, const double *period)
{
    bool same = !forms->varies[mode] && forms->kept_period[mode] > 0;
    for (int l = 0; l < IC_BATCH_PAIR; l++) {
        same = same && forms->settled[l] && forms->kept_period[mode] == period[l];
        for (int i = 0; i < forms->shape->n; i++)
            same = same && forms->kept_scale[mode][i][0] == forms->scale[i][l];
    }
    return same;
}

static void keep_coefficients(ic_batch_forms *forms, int mode, double period, const ic_batch_coefficients *out)
{
    if (forms->varies[mode] || !forms->settled[0]) return;
    forms->kept[mode] = *out;
    forms->kept_period[mode] = period;
    memcpy(forms->kept_scale[mode], forms->scale, sizeof forms->scale);
}

static ALWAYS_INLINE void compute_modes(ic_batch_forms *forms, const double *period,
                                        ic_batch_coefficients *const *coefficients, bool *good, const int n)
{
    pair_flow flows[IC_BATCH_MODES];
    const ic_batch_shape *shape = forms->shape;
    for (int k = 0; k < shape->n_modes; k++) {
        ic_batch_coefficients *const out[IC_BATCH_PAIR] = {&coefficients[0][k], &coefficients[1][k]};
        const int same = forms->flow_of[k];
        const pair_flow *flow = &flows[same];
        if (shape->modes[k].terminal) continue;
        if (are_kept(forms, k, period)) {
            for (int l = 0; l < IC_BATCH_PAIR; l++) *out[l] = forms->kept[k];
            continue;
        }
        if (same == k) compute_flow(&flows[k], forms, k, period, out, n);
        for (int l = 0; l < IC_BATCH_PAIR; l++) {
            good[l] = good[l] && flow->good[l];
            /* coefficients of the flow come before those of guards */
            if (same < k) memcpy(out[l], &coefficients[l][same], offsetof(ic_batch_coefficients, value));
        }
        for (int i = 0; i < shape->modes[k].n_guards; i++) {
            compute_guard(flow, forms, k, i, out, n);
            if (shape->modes[k].guards[i].conditional) compute_condition(flow, forms, k, i, out, n);
            store_branches(forms, k, i, out);
        }
        if (flow->good[0]) keep_coefficients(forms, k, period[0], out[0]);
    }
}

void ic_batch_coefficients_compute(ic_batch_forms *forms, ic_batch_coefficients *const *coefficients,
                                   double *frequency, bool *good, const ic_problem *const *problems,
                                   const double *periods)
{
    for (int l = 0; l < IC_BATCH_PAIR; l++) good[l] = ic_batch_forms_read(forms, problems[l], l);
    for (int l = 0; l < IC_BATCH_PAIR; l++) frequency[l] = forms->frequency[l];
    switch (forms->shape->n) {
    case 2: compute_modes(forms, periods, coefficients, good, 2); break;
    case 4: compute_modes(forms, periods, coefficients, good, 4); break;
    case 5: compute_modes(forms, periods, coefficients, good, 5); break;
    default: compute_modes(forms, periods, coefficients, good, IC_BATCH_STATES); break;
    }
}
