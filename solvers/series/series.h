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
 * Quantities that depend only on numbers, parameters and states of rate 0 are computed once for a
 * phase, and choices by their signs are made then. A choice by the sign of any other quantity is a
 * kink: one side, on which the operation is smooth, is taken until the sign changes.
 */
#ifndef IC_SOLVERS_SERIES_SERIES_H
#define IC_SOLVERS_SERIES_SERIES_H

#include "core/equations.h"

enum {
    IC_SERIES_ORDER = 40,

    /* Distance between the beginnings of two rows: a multiple of four. */
    IC_SERIES_STRIDE = 44,
};

/** A term of the equations: a row, or a constant. */
typedef struct ic_series_value {
    /* Index of the row; -1: constant. */
    int row;

    double value;
} ic_series_value;

/** A kink: a choice by the sign of a quantity that varies. */
typedef struct ic_series_kink {
    /* The term that is the kink. */
    int term;

    /* The quantity whose sign decides. */
    ic_series_value argument;

    /* The side that is taken: -1 or +1. */
    int side;
} ic_series_kink;

typedef struct ic_series_kernel ic_series_kernel;

/** The variable of the series. */
typedef enum ic_series_kind {
    /* s, with t = t0 + unit s. */
    IC_SERIES_PLAIN,

    /*
     * The same, but powers that are held (ic_series_hold) are constant: they keep their values, or
     * are zero if they have none.
     */
    IC_SERIES_HELD,

    /* s, with t = t0 + unit s^2: a^(1/2) is a power series in s if a starts at zero. */
    IC_SERIES_SQUARED,
} ic_series_kind;

typedef struct ic_series {
    const ic_equations *equations;
    const double *par;
    size_t n;

    /* By term: its value at the start of the phase; its row; the operand that it equals, or -1. */
    double *values;
    int *rows, *equals;
    bool *constant, *used;

    /* By term: true if its value depends on the side of a kink. */
    bool *sided;

    /* By term: the decided side of its kink, or 0. */
    int *settled;

    /* By term: true if the argument of its kink starts at zero. */
    bool *leaves;

    ic_series_kernel *kernels;
    size_t n_kernels;

    ic_series_kink *kinks;
    size_t n_kinks;

    /* By row: the highest coefficient that is not zero; the kernel of its cosine, or -1. */
    int *tops, *cosines;
    size_t n_rows, room;

    /* Coefficients, rows x IC_SERIES_STRIDE. The rows of the states come first, then that of t. */
    double *c;

    /* Rounding errors of the coefficients, in units of DBL_EPSILON. */
    double *errors;

    /* Results: n rates, then the guards. */
    ic_series_value *results;

    /*
     * True if some power has a non-integer exponent, so that it has no series where its base is
     * zero.
     */
    bool branches;

    /* Variable of the last coefficients. */
    ic_series_kind kind;

    /* Powers that were held for the first time up to this round are held. */
    int holding;
} ic_series;

/** Open a series for equations with at most so many terms and results. false: memory ran out. */
bool ic_series_open(ic_series *s, size_t n_states, const ic_equations *const *equations, size_t n_equations);
void ic_series_close(ic_series *s);

/**
 * Begin a phase at (t, x). Kinks take the sides of their arguments, and +1 where an argument is
 * zero.
 */
void ic_series_begin(ic_series *s, const ic_equations *equations, const double *par, double t, const double *x);

/** Change the side of a kink, from now on. */
void ic_series_turn(ic_series *s, size_t kink, double t, const double *x);

/** Record that a step has been taken, so that the argument of no kink is at zero any more. */
void ic_series_leave(ic_series *s);

/** A row of `c` or `errors`. */
static inline double *ic_series_row(double *rows, int row)
{
    return rows + (size_t)row * IC_SERIES_STRIDE;
}

/** Compute the coefficients up to `order`. */
void ic_series_expand(ic_series *s, int order, double unit, double t, const double *x, ic_series_kind kind);

/**
 * Hold further powers, one round after another, from `holding` = 0 on: those that have no series
 * here, or whose branch point is within so many units of time according to the last coefficients.
 * false: there are none.
 */
bool ic_series_hold(ic_series *s, double within);

/**
 * Greatest number of terms between two nonzero ones of the coefficients in IC_SERIES_SQUARED. 0:
 * they do not exist or are useless. They exist if all powers whose bases are zero within the
 * estimated rounding errors have exponents that are positive multiples of 1/2.
 */
int ic_series_begins_at_branch(ic_series *s);

/**
 * Distance in s of the nearest branch point of a power, if its base continues as it begins.
 * Negative: the base does not fall towards the point. INFINITY: there is no branch point.
 */
double ic_series_branch(const ic_series *s);

/**
 * Distance in s within which rounding of the states hides the branch points of powers whose base is zero
 * within it. Needs the errors of the coefficients 0 (`ic_series_estimate`).
 */
double ic_series_branch_rounding(const ic_series *s);

/**
 * Compute the rounding errors of the last coefficients up to `order`, in units of DBL_EPSILON,
 * given those of the states, `states`.
 */
void ic_series_estimate(ic_series *s, int order, double unit, const double *states);

#endif
