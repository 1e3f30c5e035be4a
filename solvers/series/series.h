/* SPDX-License-Identifier: MIT */
/**
 * Taylor coefficients of the solutions of equations, and of the guards along them
 * (A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed. (2008), 13.2). A row holds the
 * coefficients of one quantity in s, where t = t0 + unit s. Each operation is one or a few kernels of the
 * tape (solvers/series/tape.h): sin a and cos a, for example, are two integrals.
 *
 * Quantities that depend only on numbers, parameters and states of rate 0 are computed once for a
 * phase, and choices by their signs are made then. A choice by the sign of any other quantity is a
 * kink: one side, on which the operation is smooth, is taken until the sign changes.
 */
#pragma once

#include "solvers/series/tape.h"

enum {
    IC_SERIES_ORDER = 40,

    /* Distance between the beginnings of two rows: a multiple of four. */
    IC_SERIES_STRIDE = 44,
};

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

/** What is known of a kernel in a step. */
typedef struct ic_series_mark {
    /* POWER: true if the base starts at zero; in IC_SERIES_SQUARED the base is then a_2 s^2 + ... */
    bool vanishes;

    /* In IC_SERIES_SQUARED: true if a square root that starts at zero needs a coefficient beyond its own. */
    bool ahead;

    /* POWER: the round from which on it is held; 0: it is not held. */
    int held;
} ic_series_mark;

typedef struct ic_series_ready ic_series_ready;

/** A summand of a sum. */
typedef struct ic_series_entry {
    const double *row;
    double factor;
} ic_series_entry;

/** A state, its row and that of its rate. */
typedef struct ic_series_state {
    int state;
    double *y;
    const double *rate;
} ic_series_state;

typedef struct ic_series {
    /* The kernels of the phase. */
    ic_tape *tape;

    /* By kernel. */
    ic_series_mark *marks;

    /* by kernel: the form in which it is carried out */
    ic_series_ready *ready;

    /* the tape to which these belong, and its version */
    const ic_tape *ready_for;
    unsigned version;

    /* Entries of sums, made ready. */
    ic_series_entry *entries;

    /* States whose rates are rows. */
    ic_series_state *moving;
    size_t n_moving;

    /* Coefficients, rows x IC_SERIES_STRIDE. The rows of the states come first, then that of t. */
    double *c;

    /* Rounding errors of the coefficients, in units of DBL_EPSILON. */
    double *errors;

    /* Variable of the last coefficients. */
    ic_series_kind kind;

    /* Powers that were held for the first time up to this round are held. */
    int holding;
} ic_series;

/**
 * Open a series for tapes with at most so much room. The caller sets `tape`, and may replace it from phase to
 * phase. false: memory ran out.
 */
bool ic_series_open(ic_series *s, size_t n_states, size_t room);
void ic_series_close(ic_series *s);

/** A row of `c` or `errors`. */
static inline double *ic_series_row(double *rows, int row)
{
    return rows + (size_t)row * IC_SERIES_STRIDE;
}

/** Compute the coefficients up to `order`. */
void ic_series_expand(ic_series *s, int order, double unit, double t, const double *x, ic_series_kind kind);

/** The value of a row at (t, x) (NULL: as before), and its error, given those of the states. Sets coefficients 0. */
double ic_series_value_of(ic_series *s, int row, double t, const double *x, const double *states, double *size);

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
