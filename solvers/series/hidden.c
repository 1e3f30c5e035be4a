/* SPDX-License-Identifier: MIT */
#include "solvers/series/hidden.h"

#include <math.h>
#include <string.h>

/** A range of values. */
typedef struct range {
    double low, high;
} range;

/** Powers of the length of the step. */
typedef struct reach_powers {
    double of[IC_SERIES_STRIDE];
} reach_powers;

static const double *row_of(const ic_series_hidden *h, int row)
{
    return h->c + (size_t)row * IC_SERIES_STRIDE;
}

/* sum_{j >= 1} |c_j| reach^j */
static double variation(const ic_series_hidden *h, const reach_powers *p, int row)
{
    const double *c = row_of(h, row);
    double sum = 0;
    for (int j = 1; j <= h->order; j++) sum += fabs(c[j]) * p->of[j];
    return sum;
}

static double greatest(const ic_series_hidden *h, const reach_powers *p, int row)
{
    return fabs(row_of(h, row)[0]) + variation(h, p, row);
}

/*
 * The range of a row: that of the Bernstein coefficients b_i = sum_j (i over j)/(n over j) c_j reach^j, and the
 * row's own error.
 */
static range range_of(const ic_series_hidden *h, const reach_powers *p, int row)
{
    const double *c = row_of(h, row);
    double b[IC_SERIES_STRIDE] = {c[0]}, inverse = 1;
    int n = h->order;
    while (n > 0 && c[n] == 0) n--;
    for (int j = 0; j <= n; j++) {
        b[j] = c[j] * p->of[j] * inverse;
        inverse *= (j + 1.0) / (n - j);
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int i = k; i < n; i++) b[i + 1] += b[i];
    }
    range r = {b[0], b[0]};
    for (int i = 1; i <= n; i++) {
        r.low = b[i] < r.low ? b[i] : r.low;
        r.high = b[i] > r.high ? b[i] : r.high;
        if (isnan(b[i])) r.low = -INFINITY, r.high = INFINITY;
    }
    return (range){r.low - h->errors[row], r.high + h->errors[row]};
}

static double factor_of(const ic_series_hidden *h, int entry)
{
    return h->factors != NULL ? h->factors[entry] : h->tape->entries[entry].factor;
}

static double exponent_of(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    return h->alpha != NULL ? h->alpha[k - h->tape->kernels] : k->alpha;
}

static double constant_of(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    return h->gamma != NULL ? h->gamma[k - h->tape->kernels] : k->gamma;
}

/* ---- errors that a kernel hides, which its own coefficients do not show */

/* `width`, unless the series shows it. */
static double unless_shown(const ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k,
                           double width)
{
    return IC_HIDDEN_SHOWN * width <= variation(h, p, k->out) ? 0 : width;
}

static double hidden_by_function(ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k)
{
    if (variation(h, p, k->of) + h->errors[k->of] <= IC_HIDDEN_CLEAR) return 0;
    h->varies = true;
    const range a = range_of(h, p, k->of);
    double width = INFINITY;
    switch (k->start) {
    case IC_OP_EXP: width = exp(a.high) - exp(a.low); break;
    case IC_OP_TANH: width = tanh(a.high) - tanh(a.low); break;
    case IC_OP_ATAN: width = atan(a.high) - atan(a.low); break;
    case IC_OP_SINH:
    case IC_OP_COSH: width = exp(fmax(fabs(a.low), fabs(a.high))); break;
    default: return 0;
    }
    return unless_shown(h, p, k, width);
}

/* The least modulus in a range; 0: it contains zero. */
static double least_modulus(range b)
{
    return b.low > 0 ? b.low : b.high < 0 ? -b.high : 0;
}

static double hidden_by_quotient(ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k)
{
    const double first = fabs(row_of(h, k->b)[0]);
    if (variation(h, p, k->b) + h->errors[k->b] <= IC_HIDDEN_CLEAR_PART * first) return 0;
    h->varies = true;
    const range a = range_of(h, p, k->a), b = range_of(h, p, k->b);
    const double least = least_modulus(b), most = fmax(fabs(b.low), fabs(b.high)), gamma = constant_of(h, k);
    if (!(least > 0)) return INFINITY;
    const double above = fmax(fabs(a.low + gamma), fabs(a.high + gamma));
    return unless_shown(h, p, k, above * (1 / least - 1 / most) + (a.high - a.low) / least);
}

/* Where the base has a zero there is a branch point, which ends the series. */
static double hidden_by_power(ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k)
{
    const double alpha = exponent_of(h, k), first = row_of(h, k->a)[0];
    if (alpha > 0 && alpha < IC_HIDDEN_GREAT_EXPONENT) return 0;
    if ((variation(h, p, k->a) + h->errors[k->a]) * fmax(fabs(alpha), 1) <= IC_HIDDEN_CLEAR_PART * first)
        return 0;
    const range a = range_of(h, p, k->a);
    if (!(a.low > 0)) return 0;
    h->varies = true;
    return unless_shown(h, p, k, fabs(pow(a.high, alpha) - pow(a.low, alpha)));
}

/* A power of many factors: its terms may begin beyond the order. */
static double hidden_by_product(ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k)
{
    const int b = k->kind == IC_TAPE_SQUARE ? k->a : k->b;
    const double rough = greatest(h, p, k->a) * greatest(h, p, b), shown = greatest(h, p, k->out);
    if (IC_HIDDEN_SHOWN * rough <= shown) return 0;
    h->varies = true;
    const range u = range_of(h, p, k->a), v = range_of(h, p, b);
    const double most = fmax(fabs(u.low), fabs(u.high)) * fmax(fabs(v.low), fabs(v.high));
    return IC_HIDDEN_SHOWN * most <= shown ? 0 : most;
}

static double hidden_by(ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k)
{
    switch (k->kind) {
    case IC_TAPE_INTEGRAL:
    case IC_TAPE_INVERSE: return hidden_by_function(h, p, k);
    case IC_TAPE_QUOTIENT: return hidden_by_quotient(h, p, k);
    case IC_TAPE_POWER: return hidden_by_power(h, p, k);
    case IC_TAPE_PRODUCT:
    case IC_TAPE_SQUARE: return hidden_by_product(h, p, k);
    case IC_TAPE_SUM: break;
    }
    return 0;
}

/* ---- errors that a kernel inherits */

/* A product of which one factor may be infinite, and the other one zero. */
static double times(double error, double by)
{
    return error == 0 || by == 0 ? 0 : error * by;
}

/* |u| du for a quotient by row b, of errors `above` in its numerator. */
static double divided(const ic_series_hidden *h, const reach_powers *p, double above, double of_b,
                      const ic_tape_kernel *k)
{
    const double error = above + times(of_b, greatest(h, p, k->out));
    return error == 0 ? 0 : error / least_modulus(range_of(h, p, k->b));
}

static double inherited_by(const ic_series_hidden *h, const reach_powers *p, const ic_tape_kernel *k)
{
    const double da = h->errors[k->a], db = h->errors[k->b];
    double sum = 0;
    switch (k->kind) {
    case IC_TAPE_SUM:
        for (int i = k->first; i < k->first + k->count; i++)
            sum += times(h->errors[h->tape->entries[i].row], fabs(factor_of(h, i)));
        return sum;
    case IC_TAPE_PRODUCT:
        return times(da, greatest(h, p, k->b)) + times(db, greatest(h, p, k->a)) + times(da, db);
    case IC_TAPE_SQUARE: return times(da, 2 * greatest(h, p, k->a) + da);
    case IC_TAPE_QUOTIENT: return divided(h, p, da, db, k);
    case IC_TAPE_INVERSE: return divided(h, p, da, k->start == IC_OP_LOG ? 0 : db, k);
    case IC_TAPE_POWER:
        sum = times(da, fabs(exponent_of(h, k)) * greatest(h, p, k->out));
        return sum == 0 ? 0 : sum / least_modulus(range_of(h, p, k->a));
    case IC_TAPE_INTEGRAL: break;
    }
    /* the error of b, a later row, is that of y itself, but for products of which integrals are taken */
    if (k->start == IC_OP_NUMBER) return times(da, greatest(h, p, k->b)) + times(db, greatest(h, p, k->a));
    const bool bounded = k->start == IC_OP_TANH || k->start == IC_OP_SIN || k->start == IC_OP_COS;
    return bounded ? da : times(expm1(da), greatest(h, p, k->out) + greatest(h, p, k->b));
}

/* ---- the step */

static double error_of(const ic_series_hidden *h, ic_series_value value)
{
    return value.row < 0 ? 0 : h->errors[value.row];
}

static double worst_result(const ic_series_hidden *h, const reach_powers *p, double time)
{
    const ic_tape *tape = h->tape;
    double worst = 0;
    for (size_t i = 0; i < tape->n_results; i++) {
        const double error = times(error_of(h, tape->results[i]), i < tape->n ? time : 1);
        worst = fmax(worst, times(error, h->weights[i]));
    }
    for (size_t i = 0; i < tape->n_kinks; i++) {
        const double error = error_of(h, tape->kinks[i].argument);
        if (error > 0) worst = fmax(worst, error / greatest(h, p, tape->kinks[i].argument.row));
    }
    return worst;
}

double ic_series_hides(ic_series_hidden *h, double reach, double time)
{
    const ic_tape *tape = h->tape;
    reach_powers p = {{1}};
    bool some = false;
    h->varies = false;
    if (!tape->hides) return 0;
    for (int j = 1; j <= h->order; j++) p.of[j] = p.of[j - 1] * reach;
    memset(h->errors, 0, tape->n_rows * sizeof *h->errors);
    for (const ic_tape_kernel *k = tape->kernels; k < tape->kernels + tape->n_kernels; k++) {
        double error = some ? inherited_by(h, &p, k) : 0;
        if (k->hides) error = fmax(error, hidden_by(h, &p, k));
        h->errors[k->out] = error;
        some = some || error > 0;
    }
    return some ? worst_result(h, &p, time) : 0;
}
