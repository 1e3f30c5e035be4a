/* SPDX-License-Identifier: MIT */
#include "bench/statistics.h"
#include "core/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Mann-Whitney */

/* Twice the mid-rank of a value among all, a whole number: 2 (values below) + (values equal, itself
   included) + 1. */
static size_t doubled_rank(double value, const double *all, size_t n)
{
    size_t below = 0, equal = 0;
    for (size_t i = 0; i < n; i++) {
        below += all[i] < value;
        equal += all[i] == value;
    }
    return 2 * below + equal + 1;
}

/* choices[k * (most + 1) + s]: number of choices of k ranks with the sum s. It stays below 2^53 for
   n <= 53; beyond that it is rounded. */
static void count_choices(double *choices, const size_t *ranks, size_t n, size_t chosen, size_t most)
{
    choices[0] = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1 < chosen ? i + 1 : chosen; k > 0; k--) {
            double *row = choices + k * (most + 1);
            const double *before = row - (most + 1);
            for (size_t s = most; s >= ranks[i]; s--) row[s] += before[s - ranks[i]];
        }
    }
}

bool ic_mann_whitney_test(ic_mann_whitney *test, const double *x, size_t n, const double *y, size_t m)
{
    double all[IC_MOST_MANN_WHITNEY];
    size_t ranks[IC_MOST_MANN_WHITNEY], most = 0, sum = 0;
    const size_t total = n + m;
    *test = (ic_mann_whitney){NAN, NAN, NAN};
    if (n == 0 || m == 0 || total > IC_MOST_MANN_WHITNEY) return false;
    memcpy(all, x, n * sizeof *all);
    memcpy(all + n, y, m * sizeof *all);
    for (size_t i = 0; i < total; i++) {
        if (isnan(all[i])) return false;
        ranks[i] = doubled_rank(all[i], all, total);
        most += ranks[i];
        if (i >= n) sum += ranks[i];
    }
    double *choices = calloc((m + 1) * (most + 1), sizeof *choices);
    if (choices == NULL) return false;
    count_choices(choices, ranks, total, m, most);
    double below = 0, at = 0, above = 0;
    for (size_t s = 0; s <= most; s++) {
        const double count = choices[m * (most + 1) + s];
        if (s < sum) below += count;
        else if (s == sum) at += count;
        else above += count;
    }
    free(choices);
    /* rank sum minus its least value */
    test->u = 0.5 * (double)sum - 0.5 * (double)m * (double)(m + 1);
    test->greater = (at + above) / (below + at + above);
    test->less = (below + at) / (below + at + above);
    return true;
}

/* ---- medians and slopes */

static double quantile(const double *sorted, size_t n, double part)
{
    const double at = part * (double)(n - 1);
    const size_t i = (size_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

ic_spread ic_spread_of(const double *values, size_t n)
{
    double sorted[IC_MOST_MANN_WHITNEY];
    const ic_spread none = {NAN, NAN, NAN};
    if (n == 0 || n > IC_MOST_MANN_WHITNEY) return none;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) return none;
        sorted[i] = values[i];
    }
    qsort(sorted, n, sizeof *sorted, ic_compare_numbers);
    return (ic_spread){quantile(sorted, n, 0.25), quantile(sorted, n, 0.5), quantile(sorted, n, 0.75)};
}

double ic_median(const double *values, size_t n)
{
    return ic_spread_of(values, n).middle;
}

ic_line ic_line_fit(const double *x, const double *y, size_t n)
{
    ic_line line = {n, NAN, NAN};
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, residual = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (n < 2 || !(xx > 0)) return line;
    line.slope = xy / xx;
    for (size_t i = 0; i < n; i++) {
        const double difference = y[i] - mean_y - line.slope * (x[i] - mean_x);
        residual += difference * difference / (double)n;
    }
    line.residual = sqrt(residual);
    return line;
}
