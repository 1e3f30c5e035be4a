/* SPDX-License-Identifier: MIT */
/**
 * What the coefficients of a series do not show. exp(a) with a = -1600 underflows, and 1 - tanh(a)^2 is 0 where
 * a = 20: all coefficients vanish, whatever the term becomes further on in the step. Those of (x/s)^40, and of
 * 1/(1 + (x/s)^40) where x is 40 s, begin beyond the order, or below rounding. A step that is as long as the
 * coefficients permit then jumps over a bump that is narrower than any distance between nodes.
 *
 * The argument of such a kernel is a polynomial of the step, whose Bernstein coefficients enclose it, and with it
 * the kernel's values:
 *
 *     y in T = y([a_l, a_h]),    where the series shows    V = sum_{j >= 1} |y_j| reach^j
 *
 * A kernel hides a term if the width of T is above some multiples of V, and its argument varies by more than some
 * units. It may then be off by the width of T, and this error is passed on through the rows that read it, to first
 * order, with |row| <= sum_j |row_j| reach^j. A step may be taken if the errors of rates, guards and kinks are
 * below the tolerance: the term has no effect yet, or the series shows it.
 */
#pragma once

#include "solvers/series/series.h"

/* An argument that varies by less does not hide a term: an exponential grows by a factor of 20. */
#define IC_HIDDEN_CLEAR 3.0
/* The same for a base of a quotient or of a power, relative to its first value: a quotient grows by 10. */
#define IC_HIDDEN_CLEAR_PART 0.9
/* A term is shown if its series varies by this part of the range of the term. */
#define IC_HIDDEN_SHOWN 0.0625
/* Powers with exponents between 0 and this one vary no more than their base, but for some powers of ten. */
#define IC_HIDDEN_GREAT_EXPONENT 8.0

typedef struct ic_series_hidden {
    const ic_tape *tape;

    /* Coefficients, rows x IC_SERIES_STRIDE, and their highest index. */
    const double *c;
    int order;

    /* By result: the inverse of the error that matters, in a state for a rate. */
    const double *weights;

    /* By row: greatest error of its polynomial. */
    double *errors;

    /* Set by ic_series_hides: whether the argument of any kernel varies enough to hide a term. */
    bool varies;

    /* Workspace: powers of the reach. */
    double powers[IC_SERIES_STRIDE];
} ic_series_hidden;

/**
 * The greatest error, in units of 1/weight, that hidden terms may make in a step up to `reach`, in which so much
 * time passes (in units of the rates); INFINITY: unknown.
 */
double ic_series_hides(ic_series_hidden *h, double reach, double time);
