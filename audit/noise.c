/* SPDX-License-Identifier: MIT */
#include "audit/noise.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_ORDER = 2, MOST_ORDER = 6, PLACES = 4000 };

/* median of |z| for a standard normal z */
#define NORMAL_MEDIAN 0.67448975

/* Steps within a stencil are equal up to this, else its differences are no derivative. */
#define EQUAL_STEPS 1e-6

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ic_audit_median(double *values, size_t n)
{
    if (n == 0) return NAN;
    qsort(values, n, sizeof *values, ascending);
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

static bool equally_spaced(const double *t, int order)
{
    const double step = t[1] - t[0];
    for (int i = 1; i < order; i++) {
        if (!(fabs(t[i + 1] - t[i] - step) <= EQUAL_STEPS * step)) return false;
    }
    return step > 0;
}

static double difference(const ic_trajectory *tr, size_t row, size_t state, int order)
{
    double binomial = order % 2 == 0 ? 1 : -1, sum = 0;
    for (int i = 0; i <= order; i++) {
        sum += binomial * tr->x[(row + (size_t)i) * tr->n_states + state];
        binomial *= -(double)(order - i) / (i + 1);
    }
    return sum;
}

static double estimate(const ic_trajectory *tr, size_t state, int order, double *values)
{
    double norm = 1; /* binomial(2k, k) */
    size_t n = 0;
    if (tr->n <= (size_t)order) return NAN;
    const size_t places = tr->n - (size_t)order, stride = places / PLACES + 1;
    for (int i = 1; i <= order; i++) norm *= (double)(order + i) / i;
    for (size_t row = 0; row < places; row += stride) {
        if (equally_spaced(&tr->t[row], order)) values[n++] = fabs(difference(tr, row, state, order));
    }
    return ic_audit_median(values, n) / (NORMAL_MEDIAN * sqrt(norm));
}

bool ic_noise_estimate(double *sigma, const ic_trajectory *tr, size_t state)
{
    double *values = malloc((2 * PLACES + 2) * sizeof *values), least = INFINITY;
    if (values == NULL) return false;
    for (int order = LEAST_ORDER; order <= MOST_ORDER; order++)
        least = fmin(least, estimate(tr, state, order, values));
    *sigma = isfinite(least) ? least : 0;
    free(values);
    return true;
}
