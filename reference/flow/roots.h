/* SPDX-License-Identifier: MIT */
/** Proven isolation of the sign changes of a polynomial with remainder on a part of [0, 1]. */
#pragma once

#include "reference/store.h"

/** p(s) + r(s) with |r| <= remainder and |r'| <= remainder_rate on [0, 1]. */
typedef struct ic_ball_polynomial {
    /* p, p', p'' */
    arb_ptr coefficients, rate, curvature;

    /* coefficients of p */
    slong length;

    /* one for each derivative */
    mag_ptr remainder, remainder_rate;

    slong prec;

    ic_store store;
} ic_ball_polynomial;

/**
 * Initialises a polynomial of `length` zero coefficients; fill coefficients and remainders, then
 * call _derive.
 */
void ic_ball_polynomial_init(ic_ball_polynomial *p, slong length, slong prec);
void ic_ball_polynomial_derive(ic_ball_polynomial *p);
void ic_ball_polynomial_clear(ic_ball_polynomial *p);

/**
 * q = p / s^order for a p whose coefficients below `order` are zero by theorem (they are dropped)
 * and whose remainder is O(s^length). q has p's sign for s > 0.
 */
void ic_ball_polynomial_deflate(ic_ball_polynomial *q, const ic_ball_polynomial *p, slong order);

/** Encloses p + r over the ball s. */
void ic_ball_polynomial_value(arb_t value, const ic_ball_polynomial *p, const arb_t s);

/** -1, +1; 0: undecided. */
int ic_ball_sign(const arb_t value);

typedef enum ic_isolation { IC_NO_SIGN_CHANGE, IC_SIGN_CHANGE, IC_CANNOT_TELL } ic_isolation;

/**
 * Finds the first sign change in (from, to], to <= 1, of a function that has the sign `side` just
 * after `from`. On IC_SIGN_CHANGE it is a simple zero, alone in [*low, *high], where the function
 * is monotone. IC_CANNOT_TELL: the function touches zero or nearly so, to the precision used.
 */
ic_isolation ic_first_sign_change(double *low, double *high, const ic_ball_polynomial *p, double from,
                                  double to, int side);

/**
 * Narrows a ball around one simple zero of p by interval Newton as far as the precision allows:
 * values come from `centre`, which differs from p by at most `spread` there, the derivative from p.
 */
void ic_refine_root(arb_t root, const ic_ball_polynomial *p, const ic_ball_polynomial *centre,
                    const mag_t spread);
