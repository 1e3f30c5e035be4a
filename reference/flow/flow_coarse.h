/* SPDX-License-Identifier: MIT */
/**
 * Taylor coefficients of terms over a box, and of their derivatives with respect to the start, as
 * intervals of doubles: much faster than balls, where 15 digits are enough because the results only
 * multiply radii or bound remainders.
 *
 * Coefficient k is stored times 2^(k unit), so that the powers of a short step stay in range. What
 * leaves the range of doubles becomes the whole line, never a wrong bound.
 */
#pragma once

#include "reference/flow/flow_terms.h"
#include "reference/store.h"

/** All numbers within `radius` of `middle`; radius +inf: all numbers. */
typedef struct ic_coarse_interval {
    double middle, radius;
} ic_coarse_interval;

/** Columns of derivatives that are computed together. */
enum { IC_COARSE_LANES = 4 };

typedef struct ic_coarse {
    const ic_flow_terms *terms;

    /* dy_i/du, n + 1 terms; -1 for those that are 0 */
    const int *rates;

    /* coefficients that there is room for, and those that are computed */
    slong length, done;

    /* coefficient k of term i at i * length + k */
    double *middle, *radius;

    long unit;

    /* the clock at which the expansion starts */
    arb_ptr clock;

    /* whether the further variables were given */
    bool box;

    /*
     * Derivatives by up to IC_COARSE_LANES variables: that in lane l at (i * length + k) * IC_COARSE_LANES +
     * l.
     */
    double *tangent_middle, *tangent_radius;

    /* by term: in which lanes they may differ from 0, a bit for each */
    unsigned char *live;

    ic_store store;
} ic_coarse;

/** Make room. `rates` is borrowed. */
void ic_coarse_init(ic_coarse *c, const ic_flow_terms *terms, const int *rates, slong length);
void ic_coarse_clear(ic_coarse *c);

/**
 * Start at y and at a clock. y has n + 1 balls, and if `box` is true, one for each further variable;
 * otherwise further variables have their values there.
 */
void ic_coarse_start(ic_coarse *c, arb_srcptr y, const arb_t clock, long unit, bool box);

/** Compute coefficients up to number `length` - 1 of the terms that are needed, or of all. */
void ic_coarse_extend(ic_coarse *c, slong length, bool all);

/** Coefficient k of a term, times 2^(k unit). */
ic_coarse_interval ic_coarse_get(const ic_coarse *c, int term, slong k);

/**
 * Compute the derivatives of the first `length` coefficients of all terms with respect to n variables
 * at the start, n <= IC_COARSE_LANES. All terms must have that many coefficients.
 */
void ic_coarse_differentiate(ic_coarse *c, const slong *variables, int n, slong length);

/** Coefficient k of the derivative of a term by the variable in a lane, times 2^(k unit). */
ic_coarse_interval ic_coarse_derivative(const ic_coarse *c, int term, slong k, int lane);

/** Bounds the absolute values of the same in n lanes times a factor. */
void ic_coarse_sizes(double *sizes, const ic_coarse *c, int term, slong k, int n, double factor);

/** -1, +1; 0: not definite. */
int ic_coarse_sign(ic_coarse_interval x);

/** The interval as a ball. */
void ic_coarse_ball(arb_t ball, ic_coarse_interval x);

/** Bounds the absolute values. */
double ic_coarse_size(ic_coarse_interval x);
