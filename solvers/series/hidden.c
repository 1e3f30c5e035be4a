/* SPDX-License-Identifier: MIT */
#include "solvers/series/hidden.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding errors of the sum of a series that count fully. */
#define ROUNDINGS 8.0

typedef struct range {
    double low, high;
} range;

static const double *row_of(const ic_series_hidden *h, int row)
{
    return h->c + (size_t)row * IC_SERIES_STRIDE;
}

/* sum_{j >= 1} |c_j| reach^j */
static double variation(const ic_series_hidden *h, int row)
{
    const double *c = row_of(h, row);
    double sum = 0;
    for (int j = 1; j <= h->order; j++) sum += fabs(c[j]) * h->powers[j];
    return sum;
}

static double greatest(const ic_series_hidden *h, int row)
{
    return fabs(row_of(h, row)[0]) + variation(h, row);
}

/*
 * The range of a row: that of the Bernstein coefficients b_i = sum_j (i over j)/(n over j) c_j reach^j, the row's own
 * error, and what the sum leaves out: its last terms, unless it ends, and rounding errors. The latter count where
 * an exponential has fallen to less.
 */
static range range_of(const ic_series_hidden *h, int row)
{
    const double *c = row_of(h, row);
    double b[IC_SERIES_STRIDE], inverse = 1;
    int n = h->order;
    while (n > 0 && c[n] == 0) n--;
    for (int j = 0; j <= n; j++) {
        b[j] = c[j] * h->powers[j] * inverse;
        inverse *= (j + 1.0) / (n - j);
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int i = k; i < n; i++) b[i + 1] += b[i];
    }
    range r = {c[0], c[0]};
    for (int i = 0; i <= n; i++) {
        r.low = b[i] < r.low ? b[i] : r.low;
        r.high = b[i] > r.high ? b[i] : r.high;
        if (isnan(b[i])) return (range){-INFINITY, INFINITY};
    }
    const double last = n < h->order ? 0 : fabs(c[n]) * h->powers[n] + fabs(c[n - 1]) * h->powers[n - 1];
    const double error = h->errors[row] + last + ROUNDINGS * DBL_EPSILON * greatest(h, row);
    return (range){r.low - error, r.high + error};
}

static double least_modulus(range b)
{
    return b.low > 0 ? b.low : b.high < 0 ? -b.high : 0;
}

static double greatest_modulus(range b)
{
    return fmax(fabs(b.low), fabs(b.high));
}

/* ---- the width of the range of a kernel whose argument varies; 0: the argument is clear */

static double width_of_function(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    if (variation(h, k->of) + h->errors[k->of] <= IC_HIDDEN_CLEAR) return 0;
    const range a = range_of(h, k->of);
    switch (k->start) {
    case IC_OP_EXP: return exp(a.high) - exp(a.low);
    case IC_OP_TANH: return tanh(a.high) - tanh(a.low);
    case IC_OP_ATAN: return atan(a.high) - atan(a.low);
    default: return exp(greatest_modulus(a)); /* sinh, cosh */
    }
}

static double width_of_quotient(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    if (variation(h, k->b) + h->errors[k->b] <= IC_HIDDEN_CLEAR_PART * fabs(row_of(h, k->b)[0])) return 0;
    range a = range_of(h, k->a);
    const range b = range_of(h, k->b);
    a.low += k->gamma, a.high += k->gamma;
    if (!(least_modulus(b) > 0)) return INFINITY;
    return greatest_modulus(a) * (1 / least_modulus(b) - 1 / greatest_modulus(b)) +
           (a.high - a.low) / least_modulus(b);
}

/* Where the base has a zero there is a branch point, which ends the series. */
static double width_of_power(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    const double varies = (variation(h, k->a) + h->errors[k->a]) * fmax(fabs(k->alpha), 1);
    if (k->alpha > 0 && k->alpha < IC_HIDDEN_GREAT_EXPONENT) return 0;
    if (varies <= IC_HIDDEN_CLEAR_PART * row_of(h, k->a)[0]) return 0;
    const range a = range_of(h, k->a);
    return a.low > 0 ? fabs(pow(a.high, k->alpha) - pow(a.low, k->alpha)) : 0;
}

/* A power of many factors: its terms may begin beyond the order. */
static double width_of_product(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    const int b = k->kind == IC_TAPE_SQUARE ? k->a : k->b;
    if (IC_HIDDEN_SHOWN * greatest(h, k->a) * greatest(h, b) <= greatest(h, k->out)) return 0;
    return greatest_modulus(range_of(h, k->a)) * greatest_modulus(range_of(h, b));
}

/* The error of a kernel that its own coefficients do not show. */
static double hidden_by(ic_series_hidden *h, const ic_tape_kernel *k)
{
    const double width = k->kind == IC_TAPE_QUOTIENT                               ? width_of_quotient(h, k)
                         : k->kind == IC_TAPE_POWER                                ? width_of_power(h, k)
                         : k->kind == IC_TAPE_PRODUCT || k->kind == IC_TAPE_SQUARE ? width_of_product(h, k)
                                                                                   : width_of_function(h, k);
    h->varies = h->varies || width != 0;
    return IC_HIDDEN_SHOWN * width <= variation(h, k->out) ? 0 : width;
}

/* ---- errors that a kernel inherits */

/* A product of which one factor may be infinite, and the other one zero. */
static double times(double error, double by)
{
    return error == 0 || by == 0 ? 0 : error * by;
}

static double inherited_by(const ic_series_hidden *h, const ic_tape_kernel *k)
{
    const double da = h->errors[k->a], db = h->errors[k->b];
    double sum = 0;
    switch (k->kind) {
    case IC_TAPE_SUM:
        for (const ic_tape_entry *e = h->tape->entries + k->first; e < h->tape->entries + k->first + k->count;
             e++)
            sum += times(h->errors[e->row], fabs(e->factor));
        return sum;
    case IC_TAPE_PRODUCT: return times(da, greatest(h, k->b)) + times(db, greatest(h, k->a)) + times(da, db);
    case IC_TAPE_SQUARE: return times(da, 2 * greatest(h, k->a) + da);
    case IC_TAPE_QUOTIENT:
    case IC_TAPE_INVERSE:
        sum = da + times(db, greatest(h, k->out));
        return sum == 0 ? 0 : sum / least_modulus(range_of(h, k->b));
    case IC_TAPE_POWER:
        sum = times(da, fabs(k->alpha) * greatest(h, k->out));
        return sum == 0 ? 0 : sum / least_modulus(range_of(h, k->a));
    case IC_TAPE_INTEGRAL: break;
    }
    /* b, a later row, has the error of y itself, but for products of which integrals are taken */
    if (k->start == IC_OP_NUMBER) return times(da, greatest(h, k->b)) + times(db, greatest(h, k->a));
    const bool bounded = k->start == IC_OP_TANH || k->start == IC_OP_SIN || k->start == IC_OP_COS;
    return bounded ? da : times(expm1(da), greatest(h, k->out) + greatest(h, k->b));
}

/* ---- the step */

static double worst_result(const ic_series_hidden *h, double time)
{
    const ic_tape *tape = h->tape;
    double worst = 0;
    for (size_t i = 0; i < tape->n_results; i++) {
        const double error = tape->results[i].row < 0 ? 0 : h->errors[tape->results[i].row];
        worst = fmax(worst, times(times(error, i < tape->n ? time : 1), h->weights[i]));
    }
    for (size_t i = 0; i < tape->n_kinks; i++) {
        const int row = tape->kinks[i].argument.row;
        if (row >= 0 && h->errors[row] > 0) worst = fmax(worst, h->errors[row] / greatest(h, row));
    }
    return worst;
}

double ic_series_hides(ic_series_hidden *h, double reach, double time)
{
    const ic_tape *tape = h->tape;
    bool some = false;
    h->varies = false;
    if (!tape->hides) return 0;
    h->powers[0] = 1;
    for (int j = 1; j <= h->order; j++) h->powers[j] = h->powers[j - 1] * reach;
    memset(h->errors, 0, tape->n_rows * sizeof *h->errors);
    for (const ic_tape_kernel *k = tape->kernels; k < tape->kernels + tape->n_kernels; k++) {
        double error = some ? inherited_by(h, k) : 0;
        if (k->hides) error = fmax(error, hidden_by(h, k));
        h->errors[k->out] = error;
        some = some || error > 0;
    }
    return some ? worst_result(h, time) : 0;
}
