/* SPDX-License-Identifier: MIT */
/**
 * Statistics of repeated measurements: medians, a test whether one sample is greater than another,
 * and slopes.
 *
 * Mann & Whitney 1947: for samples x (n values) and y (m values), U = #{(i, j): x_i < y_j} + 1/2
 * #{(i, j): x_i = y_j}. If both come from one distribution, every choice of m of the n + m values
 * for y is equally probable, and P(U >= u) is the fraction of choices with a U of u or more. They
 * are counted by dynamic programming on the sum of the (doubled) mid-ranks, so p-values are exact
 * for any sample size, with or without ties: no normal approximation, no correction for ties.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Limit on the values of both samples together. */
#define IC_MOST_MANN_WHITNEY 64

typedef struct ic_mann_whitney {
    /* number of pairs in which y is greater, ties counted as halves */
    double u;

    /* P(U >= u): small where y is greater than x */
    double greater;

    /* P(U <= u): small where y is less than x */
    double less;
} ic_mann_whitney;

/** false: a sample is empty, both together are too large, a value is NAN, or memory ran out. */
bool ic_mann_whitney_test(ic_mann_whitney *test, const double *x, size_t n, const double *y, size_t m);

/** Median of n values, n <= IC_MOST_MANN_WHITNEY; NAN for n = 0. */
double ic_median(const double *values, size_t n);

/** Median and quartiles, between which values are interpolated. */
typedef struct ic_spread {
    double low, middle, high;
} ic_spread;

/** Of n values, n <= IC_MOST_MANN_WHITNEY; NAN for n = 0, or if a value is NAN. */
ic_spread ic_spread_of(const double *values, size_t n);

/** A straight line y = a + slope x fitted to points by least squares. */
typedef struct ic_line {
    size_t points;

    /* NAN with fewer than two points or a single x */
    double slope;

    /* root mean square of y - a - slope x */
    double residual;
} ic_line;

ic_line ic_line_fit(const double *x, const double *y, size_t n);
