/* SPDX-License-Identifier: MIT */
/**
 * A proved step of a smooth flow from a set, over a length h of its clock.
 *
 * With s in [0, 1], centre c, set X and a tube Y that is proved to hold all solutions from X,
 *
 *     y(s) = sum_{k<K} c_k h^k s^k + r(s),     |r(s)| <= s^K |h|^K |coefficient K over Y|,
 *
 * from the centre, and for the derivative D(s) with respect to the start, of lower order L,
 *
 *     D(s) = sum_{k<L} T_k(X) h^k s^k + R(s),  |R(s)| <= s^L |h|^L |T_L(Y)| W,   W >= |D| = exp(|h| |J(Y)|).
 *
 * The tube is proved by the same expansion of order L: if P_X([0, 1]) + [0, h^L] f_L(Y) lies inside Y,
 * solutions from X exist over the whole step and stay in Y (Nedialkov, Jackson & Pryce 2001).
 */
#pragma once

#include "reference/flow/flow_coarse.h"
#include "reference/flow/flow_jets.h"
#include "reference/flow/flow_set.h"
#include "reference/flow/roots.h"

/** A sign on which the formulas rely. */
typedef struct ic_assumption {
    int term;
    int sign;
} ic_assumption;

/** The formulas of a phase. */
typedef struct ic_flow_formulas {
    ic_flow_terms terms;

    /* By variable: its term, and dy_i/du; -1 for variables that are constant. */
    int *variables, *rates;

    /* terms whose zeros matter, borrowed; negative entries are none */
    const int *watched;
    size_t n_watched;

    /* terms on whose sign the formulas rely; solutions hold up to where it changes */
    ic_assumption *assumptions;
    size_t n_assumptions;

    /* what the phase consists of, but for assumptions */
    ic_store store;
} ic_flow_formulas;

typedef struct ic_step {
    const ic_flow_formulas *phase;
    const ic_flow_set *set;

    /* K and L */
    slong order, low_order;

    slong prec;

    /* typical size of each variable, > 0 */
    const double *sizes;

    /* h, exact */
    arf_t length;

    /* at the start */
    arb_ptr clock;

    /* h^k */
    arb_ptr powers;

    /* (h 2^-unit)^k, for coefficients of intervals, with a low precision */
    arb_ptr low_powers;
    long unit;

    ic_jets centre;
    ic_coarse near, tube;

    /* coefficient k < L of dy_i/dx_j, times 2^(k unit), at (i n_variables + j) L + k */
    arb_ptr derivative;

    /* Y, of all variables */
    arb_ptr box;

    /*
     * Variables with respect to which there are derivatives: n_variables coordinates of the set, then those that
     * are exact at the start and change, and further ones.
     */
    slong *variables, n_variables, n_all;

    /* by term: bounds |h|^K |coefficient K over Y| */
    mag_ptr remainder;

    /* by term: the sign of that coefficient over Y, 0: it may change */
    signed char *signs;

    /* bounds |h|^k |T_k(Y)|, k <= L: coefficient k of term i in column j at (i * (L + 1) + k) * n_all + j */
    double *tube_tangents;

    /* bounds of |D(0)| and W, n_all x n_variables */
    double *start, *growth;

    /* |A r| of these coordinates */
    mag_ptr spread;

    /* |h|^L |T_L(Y)| W of the variables: (n + 1) x n_variables */
    mag_ptr derivative_remainder;

    ic_store store;
} ic_step;

typedef enum ic_step_result {
    IC_STEP_PROVED,

    /* The solution could not be enclosed over any length. */
    IC_STEP_NOT_PROVED,
} ic_step_result;

/** How to choose a step. */
typedef struct ic_step_request {
    /* typical size of each variable, > 0 */
    const double *sizes;

    /* at most this length; its sign is the direction of the clock */
    double longest;

    /* the clock is the time; series by a root may have gaps */
    bool in_time;

    /* remainders are about 2^-prec of the sizes */
    slong prec;

    /* the derivative itself is wanted with the precision of frames, not only to bound the set */
    bool derivative;

    /* no event is likely to end the step early */
    bool long_steps;

    /* length of the last step relative to a guess, with which the next step begins; 1 at first */
    double *shortening;

    /* L of the next step, as the last one has found it; 0 at first */
    slong *low_order;
} ic_step_request;

/** Find a step from a set at a clock. Close in any case. */
ic_step_result ic_step_open(ic_step *step, const ic_flow_formulas *phase, const ic_flow_set *set,
                            const arb_t clock, const ic_step_request *request);
void ic_step_close(ic_step *step);

/** The value of a term along the step from the centre, as a polynomial in s with remainders. */
void ic_step_polynomial(ic_ball_polynomial *p, const ic_step *step, int term);

/**
 * Bounds the difference that a start elsewhere in the set makes to coefficient k (0 to L - 1, with
 * respect to s) of a term, at every place of the step.
 */
void ic_step_spread(mag_t spread, const ic_step *step, int term, slong k);

/** Adds that of coefficients k and k + 1 to the remainders of a polynomial of the term and of its rate. */
void ic_step_add_spread(ic_ball_polynomial *p, const ic_step *step, int term, slong k);

/**
 * y for the whole set over a part of the step to `end`, from the expansion of an order of at most L: n + 1
 * balls.
 */
void ic_step_range(arb_ptr y, const ic_step *step, slong order, double end, double from, double to);

/** Bounds |h|^k |coefficient k of a term over Y|, k <= L. */
void ic_step_remainder(mag_t remainder, const ic_step *step, int term, slong k);

/** K with a precision. */
slong ic_step_order(slong prec);

/** y at s from the centre: n + 1 balls. */
void ic_step_state(arb_ptr y, const ic_step *step, const arb_t s);

/** D at s for all starts in the set: (n + 1) x (n + 1). */
void ic_step_derivative(arb_mat_t d, const ic_step *step, const arb_t s);
