/* SPDX-License-Identifier: MIT */
/**
 * Taylor coefficients of the solutions of equations, and of the guards along them
 * (A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed. (2008), 13.2). A row holds the
 * coefficients of one quantity in s, where t = t0 + unit s. Each operation is one or a few of
 *
 *     linear     y = alpha a + beta b + gamma
 *     product    y_j = sum_k a_k b_{j-k}
 *     quotient   b_0 y_j = a_j - sum_{k>=1} b_k y_{j-k}
 *     integral   j y_j = sigma sum_{k>=1} k a_k b_{j-k}                  y' = sigma b a'
 *     inverse    b_0 y_j = a_j - sum_{1<=k<j} k y_k b_{j-k}/j            y' = a'/b
 *     power      j a_0 y_j = sum_{k>=1} (k e - (j - k)) a_k y_{j-k}      y = a^e
 *
 * of coefficients that are known by then: sin a and cos a, for example, are two integrals.
 *
 * What the states do not change, numbers, parameters and states of rate 0, is computed once for a
 * phase, and choices that it decides are taken then. A choice that is left, by the sign of what
 * varies, is a kink: a side is taken, on which the operation is smooth, until the sign changes.
 */
#ifndef IC_SOLVERS_SERIES_SERIES_H
#define IC_SOLVERS_SERIES_SERIES_H

#include "core/equations.h"

enum {
    IC_SERIES_ORDER = 40,

    /* from the beginning of a row to that of the next: a multiple of four */
    IC_SERIES_STRIDE = 44,
};

/** A row, or a constant. */
typedef struct ic_series_value {
    /* -1: constant */
    int row;

    double value;
} ic_series_value;

/** A choice by the sign of what varies. */
typedef struct ic_series_kink {
    /* its term */
    int term;

    /* whose sign it is */
    ic_series_value argument;

    /* the side taken: -1 or +1 */
    int side;
} ic_series_kink;

typedef struct ic_series_kernel ic_series_kernel;

/** What coefficients are of. */
typedef enum ic_series_kind {
    /* t = t0 + unit s */
    IC_SERIES_PLAIN,

    /* the same, but powers that are held (ic_series_hold) stay what they are, zero where they have no value */
    IC_SERIES_HELD,

    /* t = t0 + unit s^2: a^(3/2) is a power series in s where a begins at zero */
    IC_SERIES_SQUARED,
} ic_series_kind;

typedef struct ic_series {
    const ic_equations *equations;
    const double *par;
    size_t n;

    /* by term: its value at the start of the phase; its row; the operand that it equals, or -1 */
    double *values;
    int *rows, *equals;
    bool *constant, *used;

    /* by term: its value depends on the side of a kink */
    bool *sided;

    /* by term: the side of its kink that is settled, or 0 */
    int *settled;

    /* by term: the argument of its kink starts at zero */
    bool *leaves;

    ic_series_kernel *kernels;
    size_t n_kernels;

    ic_series_kink *kinks;
    size_t n_kinks;

    /* by row: the highest coefficient that is not zero; the kernel of its cosine, or -1 */
    int *tops, *cosines;
    size_t n_rows, room;

    /* rows x IC_SERIES_STRIDE; those of the states come first, then that of t */
    double *c;

    /* the same, of rounding errors in units of DBL_EPSILON */
    double *errors;

    /* n rates, then the guards */
    ic_series_value *results;

    /* there are powers that are not whole: they have no series where the base is zero */
    bool branches;

    /* of the last coefficients */
    ic_series_kind kind;

    /* powers that came to be held up to this turn are */
    int holding;
} ic_series;

/** Open for equations of at most so many terms and results. false: memory ran out. */
bool ic_series_open(ic_series *s, size_t n_states, const ic_equations *const *equations, size_t n_equations);
void ic_series_close(ic_series *s);

/**
 * Begin a phase at (t, x); kinks are on the sides of their arguments, on +1 where these
 * are zero.
 */
void ic_series_begin(ic_series *s, const ic_equations *equations, const double *par, double t, const double *x);

/** Take the other side of a kink, which is the right one from now on. */
void ic_series_turn(ic_series *s, size_t kink, double t, const double *x);

/** A step has been taken: no argument of a kink is at zero any more. */
void ic_series_leave(ic_series *s);

/** A row of `c` or `errors`. */
static inline double *ic_series_row(double *rows, int row)
{
    return rows + (size_t)row * IC_SERIES_STRIDE;
}

/** Compute the coefficients up to `order`. */
void ic_series_expand(ic_series *s, int order, double unit, double t, const double *x, ic_series_kind kind);

/**
 * A turn of holding, from `holding` 0 on: powers that have no series here, or whose branch point is
 * within so many units of time by the last coefficients, are held in addition to those before. false:
 * there are none.
 */
bool ic_series_hold(ic_series *s, double within);

/**
 * 0 if coefficients in IC_SERIES_SQUARED do not exist or are of no use: they exist if powers whose
 * bases are zero to rounding, by the errors that were estimated last, are whole multiples of 1/2, at
 * least 1. Otherwise the most terms from one that is not zero to the next.
 */
int ic_series_begins_at_branch(ic_series *s);

/**
 * How far off the nearest branch point of a power is, in s, if its base goes on as it begins:
 * negative if the base does not fall towards it, INFINITY if there is none.
 */
double ic_series_branch(const ic_series *s);

/**
 * Rounding errors of the last coefficients, up to `order`, in units of DBL_EPSILON, if those of the
 * states are the numbers `states`.
 */
void ic_series_estimate(ic_series *s, int order, double unit, const double *states);

#endif
