/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"
#include "core/numbers.h"

#include <stdlib.h>

enum { LEAST_ORDER = 2, MOST_ORDER = 6, PLACES = 4000 };

#define FEW 8

double ic_audit_median(double *values, size_t n)
{
    if (n == 0) return NAN;
    qsort(values, n, sizeof *values, ic_compare_numbers);
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/*
 * The divided difference of x over rows t_0 .. t_k is sum w_i x_i, w_i = prod_(j != i) 1/(t_i -
 * t_j). It removes a polynomial of degree k - 1 for any spacing. Divided by |w| it has
 * the deviation of x. NAN over an event.
 */
static double divided_difference(const ic_trajectory *tr, size_t row, size_t state, int order)
{
    const double *t = &tr->t[row], step = (t[order] - t[0]) / order;
    double sum = 0, square = 0;
    for (int i = 0; i <= order; i++) {
        double w = 1;
        if (i > 0 && !(t[i] > t[i - 1])) return NAN;
        for (int j = 0; j <= order; j++) w *= j != i ? step / (t[i] - t[j]) : 1;
        sum += w * tr->x[(row + (size_t)i) * tr->n_states + state];
        square += w * w;
    }
    return sum / sqrt(square);
}

/*
 * Widened for few differences by Student's quantile at five deviations, as in
 * audit/trajectory/input/impact_rows.c.
 */
static double estimate_order(const ic_trajectory *tr, size_t state, int order, double *values)
{
    size_t n = 0;
    if (tr->n <= (size_t)order) return NAN;
    const size_t places = tr->n - (size_t)order, stride = places / PLACES + 1;
    for (size_t row = 0; row < places; row += stride) {
        const double value = fabs(divided_difference(tr, row, state, order));
        if (isfinite(value)) values[n++] = value;
    }
    return ic_audit_median(values, n) / IC_NORMAL_MEDIAN * (1 + FEW / (double)n);
}

bool ic_noise_estimate(double *sigma, const ic_trajectory *tr, size_t state)
{
    double *values = malloc((2 * PLACES + 2) * sizeof *values), least = INFINITY;
    if (values == NULL) return false;
    for (int order = LEAST_ORDER; order <= MOST_ORDER; order++)
        least = fmin(least, estimate_order(tr, state, order, values));
    *sigma = isfinite(least) ? least : 0;
    free(values);
    return true;
}

double ic_weighted_median(ic_weighted *values, size_t n)
{
    double sum = 0, part = 0;
    qsort(values, n, sizeof *values, ic_compare_numbers);
    for (size_t i = 0; i < n; i++) sum += values[i].weight;
    for (size_t i = 0; i < n; i++) {
        part += values[i].weight;
        if (part >= 0.5 * sum) return values[i].value;
    }
    return NAN;
}
