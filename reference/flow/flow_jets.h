/* SPDX-License-Identifier: MIT */
/**
 * Taylor coefficients of terms along their flow.
 *
 * For a start y(0) and a clock that starts at u(0), coefficient k of a term is that of e^k in its
 * value at the clock u(0) + e. Started on a box, the coefficients hold for every start in the box.
 */
#pragma once

#include "reference/flow/flow_terms.h"
#include "reference/store.h"

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

    /* the same times k, of arguments of powers and functions and of powers */
    arb_ptr weighted;

    /* by term: 1 + its place among these, or 0 */
    slong *slots, n_slots;

    /* the clock at which the expansion starts */
    arb_ptr clock;

    ic_store store;
} ic_jets;

/** Make room. `rates` is borrowed. */
void ic_jets_init(ic_jets *j, const ic_flow_terms *terms, const int *rates, slong length, slong prec);
void ic_jets_clear(ic_jets *j);

/** Start at y (n + 1 balls) and at a clock; further variables have their values there. */
void ic_jets_start(ic_jets *j, arb_srcptr y, const arb_t clock);

/**
 * Compute coefficients up to number `length` - 1 of the terms that are needed, or of all terms, if
 * `all` is true. Each call continues where the last one stopped.
 */
void ic_jets_extend(ic_jets *j, slong length, bool all);

/** Coefficients of a term. */
arb_srcptr ic_jet(const ic_jets *j, int term);

/** Derivatives of the values of all terms with respect to the start. */
typedef struct ic_gradients {
    /* with all terms */
    const ic_jets *jets;

    /* number of columns */
    slong columns;

    /* that of term i in column j at j * count + i */
    arb_ptr values;
} ic_gradients;

/** With respect to `columns` of the variables, whose numbers are `variables`. */
void ic_gradients_init(ic_gradients *g, const ic_jets *jets, const slong *variables, slong columns);
void ic_gradients_clear(ic_gradients *g);

/** The derivative of a term in a column. */
arb_srcptr ic_gradient(const ic_gradients *g, int term, slong column);
