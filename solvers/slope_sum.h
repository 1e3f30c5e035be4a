/* SPDX-License-Identifier: MIT */
/** Weighted sums of the slopes of a Runge-Kutta method, two states at a time. */
#ifndef IC_SOLVERS_SLOPE_SUM_H
#define IC_SOLVERS_SLOPE_SUM_H

#include <stddef.h>
#include <string.h>

/* Two states, a vector of the least machines. */
typedef double ic_two_states __attribute__((vector_size(2 * sizeof(double))));

static inline ic_two_states ic_two_at(const double *x)
{
    ic_two_states two;
    memcpy(&two, x, sizeof two);
    return two;
}

/* sum_i weight_i slope_i of states j and j + 1, i < terms */
static inline ic_two_states ic_sum_pair(int terms, const double *weight, double *const *slope, size_t j)
{
    ic_two_states sum = {0};
    for (int i = 0; i < terms; i++) sum += weight[i] * ic_two_at(slope[i] + j);
    return sum;
}

static inline double ic_sum_single(int terms, const double *weight, double *const *slope, size_t j)
{
    double sum = 0;
    for (int i = 0; i < terms; i++) sum += weight[i] * slope[i][j];
    return sum;
}

/** x = x0 + h sum_i weight_i slope_i, for n states and i < terms; x is none of the slopes. */
static inline void ic_add_slopes(int terms, const double *weight, double *const *slope, size_t n,
                                 const double *x0, double h, double *x)
{
    size_t j = 0;
    for (; j + 1 < n && n > 2; j += 2) {
        const ic_two_states two = ic_two_at(x0 + j) + h * ic_sum_pair(terms, weight, slope, j);
        memcpy(x + j, &two, sizeof two);
    }
    for (; j < n; j++) x[j] = x0[j] + h * ic_sum_single(terms, weight, slope, j);
}

/** x = h sum_i weight_i slope_i, as above. */
static inline void ic_scale_slopes(int terms, const double *weight, double *const *slope, size_t n, double h,
                                   double *x)
{
    size_t j = 0;
    for (; j + 1 < n && n > 2; j += 2) {
        const ic_two_states two = h * ic_sum_pair(terms, weight, slope, j);
        memcpy(x + j, &two, sizeof two);
    }
    for (; j < n; j++) x[j] = h * ic_sum_single(terms, weight, slope, j);
}

#endif
