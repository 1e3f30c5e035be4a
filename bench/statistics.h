/* SPDX-License-Identifier: MIT */
/**
 * What is said of repeated measurements: medians, whether one sample is greater than another, and slopes.
 *
 * Mann & Whitney 1947: of samples x (n of them) and y (m), U = #{(i, j): x_i < y_j} + 1/2 #{(i, j): x_i = y_j}. If both come from one
 * distribution, every choice of m of the n + m values for y is equally probable, and P(U >= u) is the part of the choices with a
 * U of u or more. They are counted, by dynamic programming on the sum of the (doubled) mid-ranks, so that p-values are exact for
 * samples of any size, with ties as without: no normal approximation, no correction for ties.
 */
#ifndef IC_BENCH_STATISTICS_H
#define IC_BENCH_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/** Most values of both samples together. */
#define IC_MANN_WHITNEY_MOST 64

typedef struct ic_mann_whitney {
    double u;       /* pairs in which y is greater, ties as halves */
    double greater; /* P(U >= u): small where y is greater than x */
    double less;    /* P(U <= u): small where y is less than x */
} ic_mann_whitney;

/** false: a sample is empty, both are too large together, a value is NAN, or memory ran out. */
bool ic_mann_whitney_test(ic_mann_whitney *test, const double *x, size_t n, const double *y, size_t m);

/** Median of n values, n <= IC_MANN_WHITNEY_MOST; NAN of none. */
double ic_median(const double *values, size_t n);

/** A straight line y = a + slope x through points, by least squares. */
typedef struct ic_line {
    size_t points;
    double slope;    /* NAN with fewer than two points or one x only */
    double residual; /* root of the mean square of y - a - slope x */
} ic_line;

ic_line ic_line_fit(const double *x, const double *y, size_t n);

#endif
