/* SPDX-License-Identifier: MIT */
/**
 * Weighted sums of the slopes of a Runge-Kutta method, two states at a time. The weights are constants of
 * the tableau: every sum is inlined where its row is known, so that the compiler writes out its terms and
 * leaves out those of weight 0.
 *
 * Vectors of states have a stride: n rounded up to a multiple of two, or IC_SMALL_STRIDE for small systems,
 * for which the places of all slopes are constants too. Numbers beyond the n states are 0. All vectors of a
 * workspace lie in one block that ic_vectors_take has aligned.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define IC_SMALL_STRIDE ((size_t)8)

/* A vector of two states, which every machine has, and the answers of a comparison of two. */
typedef double ic_two_states __attribute__((vector_size(2 * sizeof(double)), may_alias));
typedef long long ic_two_answers __attribute__((vector_size(2 * sizeof(long long)), may_alias));

#define IC_INLINED static inline __attribute__((always_inline))
#if defined __GNUC__ && !defined __clang__
#define IC_WRITTEN_OUT _Pragma("GCC unroll 16")
#else
#define IC_WRITTEN_OUT _Pragma("unroll")
#endif

/** Stride of vectors of n states. */
static inline size_t ic_stride_of(size_t n)
{
    return n <= IC_SMALL_STRIDE ? IC_SMALL_STRIDE : n + n % 2;
}

/** `count` vectors of zeros; the caller frees them. NULL: memory ran out. */
static inline double *ic_vectors_take(size_t count, size_t stride)
{
    return calloc(count * stride, sizeof(double)); /* aligned for any type, and so for two states */
}

IC_INLINED ic_two_states ic_two_at(const double *x)
{
    return *(const ic_two_states *)x;
}

/*
 * The same for two states that have just been written one by one. They are read one by one too, because a
 * read of both waits until both writes have reached the cache.
 */
IC_INLINED ic_two_states ic_two_single(const double *x)
{
    const volatile double *const one = x;
    return (ic_two_states){one[0], one[1]};
}

IC_INLINED void ic_put_two(double *x, ic_two_states two)
{
    *(ic_two_states *)x = two;
}

/* |x| of both states */
IC_INLINED ic_two_states ic_two_magnitudes(ic_two_states x)
{
    return (ic_two_states)((ic_two_answers)x & 0x7fffffffffffffff);
}

/* The greater one of a and b, for both states. */
IC_INLINED ic_two_states ic_two_greater(ic_two_states a, ic_two_states b)
{
    const ic_two_answers first = a > b;
    return (ic_two_states)(((ic_two_answers)a & first) | ((ic_two_answers)b & ~first));
}

/**
 * sum_i weight_i slope_i of states j and j + 1, i < terms; slope_i begins at slopes + i stride. The last
 * slope has just been written by a flow (ic_two_single).
 */
IC_INLINED ic_two_states ic_sum_of_two(int terms, const double *weight, const double *slopes, size_t stride,
                                       size_t j)
{
    ic_two_states sum = {0};
    bool begun = false;
    IC_WRITTEN_OUT
    for (int i = 0; i < terms; i++) {
        if (weight[i] == 0) continue;
        const double *const at = slopes + (size_t)i * stride + j;
        const ic_two_states term = weight[i] * (i + 1 == terms ? ic_two_single(at) : ic_two_at(at));
        if (begun) sum += term;
        else sum = term;
        begun = true;
    }
    return sum;
}

/** x = x0 + h sum_i weight_i slope_i, for the n states; x is none of the slopes. */
IC_INLINED void ic_add_slopes(int terms, const double *weight, const double *slopes, size_t stride, size_t n,
                              const double *x0, double h, double *x)
{
    for (size_t j = 0; j < n; j += 2)
        ic_put_two(x + j, ic_two_at(x0 + j) + h * ic_sum_of_two(terms, weight, slopes, stride, j));
}

/** x = h sum_i weight_i slope_i, as above. */
IC_INLINED void ic_scale_slopes(int terms, const double *weight, const double *slopes, size_t stride, size_t n,
                                double h, double *x)
{
    for (size_t j = 0; j < n; j += 2) ic_put_two(x + j, h * ic_sum_of_two(terms, weight, slopes, stride, j));
}

IC_INLINED void ic_copy_states(double *to, const double *from, size_t n)
{
    for (size_t j = 0; j < n; j += 2) ic_put_two(to + j, ic_two_at(from + j));
}

/** Whether all n states, or slopes that have just been written by a flow, are finite: then x - x is 0. */
IC_INLINED bool ic_states_are_finite(const double *x, size_t n)
{
    ic_two_states sum = {0};
    for (size_t j = 0; j < n; j += 2) {
        const ic_two_states two = ic_two_single(x + j);
        sum += two - two;
    }
    return sum[0] + sum[1] == 0;
}

/**
 * Magnitude of states j and j + 1 in a step from x0 to x1: size = scale + max(|x0|, |x1|). The unit of error
 * of a state is rtol size.
 */
IC_INLINED ic_two_states ic_two_sizes(const double *scale, const double *x0, const double *x1, size_t j)
{
    return ic_two_at(scale + j) +
           ic_two_greater(ic_two_magnitudes(ic_two_at(x0 + j)), ic_two_magnitudes(ic_two_at(x1 + j)));
}

/**
 * Whether the slope k, at the fraction `part` of the way from the slope `start` to the slope `end`, strays
 * from the line between them by more than `most`, for states j and j + 1. With most = size/|h|
 * (ic_two_sizes), a step of length h would be wrong by more than a state's magnitude. The check is for a
 * stage without weight in the step and in its error estimate: if only this stage meets a stiff spring, all
 * later stages are meaningless although the estimated error is small.
 */
#define IC_STRAYED 1e10 /* the error of such a step */
IC_INLINED ic_two_answers ic_two_stray(const double *start, const double *k, double part, const double *end,
                                       ic_two_states most, size_t j)
{
    const ic_two_states begin = ic_two_at(start + j), line = ic_two_at(end + j) - begin;
    return ic_two_magnitudes(ic_two_at(k + j) - begin - part * line) > most;
}

/**
 * The interpolant at the fraction p of a step, with q = 1 - p and the coefficients d_m, which begin at
 * d + m stride:
 *
 *     x = x0 + p (d_0 + q (d_1 + p (d_2 + q (d_3 + ...)))).
 *
 * x need not be aligned, and has n numbers.
 */
IC_INLINED void ic_interpolate(int degree, const double *d, size_t stride, size_t n, const double *x0, double p,
                               double *x)
{
    const double q = 1 - p;
    for (size_t j = 0; j < n; j += 2) {
        ic_two_states sum = ic_two_at(d + (size_t)(degree - 1) * stride + j);
        IC_WRITTEN_OUT
        for (int m = degree - 2; m >= 0; m--)
            sum = ic_two_at(d + (size_t)m * stride + j) + (m % 2 == 0 ? q : p) * sum;
        sum = ic_two_at(x0 + j) + p * sum;
        memcpy(x + j, &sum, (n - j >= 2 ? 2 : 1) * sizeof *x);
    }
}
