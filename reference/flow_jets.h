/* SPDX-License-Identifier: MIT */
/**
 * Taylor coefficients of terms along their flow, and of their derivatives with respect to the start.
 *
 * For a start y(0) and a clock that starts at u(0), coefficient k of a term is that of e^k in its
 * value at the clock u(0) + e. Started on a box, the coefficients hold for every start in the box.
 */
#ifndef IC_REFERENCE_FLOW_JETS_H
#define IC_REFERENCE_FLOW_JETS_H

#include "reference/flow_terms.h"

#include <arb_mat.h>

typedef struct ic_jets {
    const ic_flow_terms *terms;

    /* dy_i/du, n + 1 terms; -1 for those that are 0 */
    const int *rates;

    /* coefficients that there is room for, and those that are computed */
    slong length, done;

    slong prec;

    /* coefficient k of term i at i * length + k */
    arb_ptr c;

    /* the same times k */
    arb_ptr weighted;

    /* the clock at which the expansion starts */
    arb_t clock;

    /* whether the further variables were given */
    bool box;
} ic_jets;

/** Make room. `rates` is borrowed. */
void ic_jets_init(ic_jets *j, const ic_flow_terms *terms, const int *rates, slong length, slong prec);
void ic_jets_clear(ic_jets *j);

/** Start at y (n + 1 balls) and at a clock; further variables have their values there. */
void ic_jets_start(ic_jets *j, arb_srcptr y, const arb_t clock);

/** The same with balls for the further variables, after those of the others. */
void ic_jets_start_box(ic_jets *j, arb_srcptr y, const arb_t clock);

/**
 * Compute coefficients up to number `length` - 1 of the terms that are needed, or of all terms, if
 * `all` is true. Each call continues where the last one stopped.
 */
void ic_jets_extend(ic_jets *j, slong length, bool all);

/** Coefficients of a term. */
arb_srcptr ic_jet(const ic_jets *j, int term);

/** Derivatives of the coefficients with respect to the start. */
typedef struct ic_tangents {
    /* with all terms, at least as many coefficients as here */
    const ic_jets *jets;

    /* number of columns; coefficients in each */
    slong columns, length;

    /* coefficient k of term i in column j at (j * count + i) * length + k */
    arb_ptr c;

    /* (j * count + i): whether a coefficient so far is not 0 */
    bool *live;
} ic_tangents;

/**
 * Derivatives of all terms with respect to `columns` of the variables, whose numbers are `variables`. If
 * the expansion started on a box, further variables are independent.
 */
void ic_tangents_init(ic_tangents *t, const ic_jets *jets, const slong *variables, slong columns, slong length);
void ic_tangents_clear(ic_tangents *t);

/** Coefficient k of the derivative of a term in a column. */
arb_srcptr ic_tangent(const ic_tangents *t, int term, slong column);

#endif
