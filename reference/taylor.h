/* SPDX-License-Identifier: MIT */
/**
 * Enclosures of z(t) = exp(M (t - a)) z(a) over an interval of time by Taylor polynomials with
 * proven remainders.
 *
 * With s = (t - a)/d in [0, 1] and c_0 = z(a), c_{j+1} = d M c_j/(j + 1),
 *
 *     z(a + d s) = sum_{j < K} c_j s^j + r(s),    |r(s)| <= s^K sum_{j >= K} (d |M|)^j/j! |z(a)|,
 *
 * entry by entry: with absolute values in place of norms, the units of the states do not matter.
 *
 * A ball z(a) = m +- w grows with exp(d |M|) in these sums, though the flow itself keeps it small.
 * Where that matters, centre and radius are therefore propagated separately:
 *
 *     z(a + d s) = (the series from m) +- |exp(d s M)| w.
 */
#ifndef IC_REFERENCE_TAYLOR_H
#define IC_REFERENCE_TAYLOR_H

#include "reference/system.h"

#include <arb_mat.h>

typedef struct ic_taylor {
    const ic_ball_system *system;
    const ic_ball_mode *mode;

    /* K */
    slong order;

    /* d, exact */
    arf_t length;

    /* c_j at j * dim, from the ball z(a): for signs over the whole piece */
    arb_ptr coefficients;

    /* the same from its midpoint m */
    arb_ptr centre;

    /* dim: w */
    mag_ptr radius;

    /* dim: bounds |r(1)| */
    mag_ptr remainder;

    /* dim: bounds |r| at 1 of the polynomial with one term fewer, for derivatives */
    mag_ptr remainder_rate;
} ic_taylor;

/**
 * Opens the piece that starts at z, of a length at most `longest` (a lower bound of the remaining
 * time, > 0) such that the series converges fast. The order follows from the system's precision.
 */
void ic_taylor_open(ic_taylor *taylor, const ic_ball_system *system, const ic_ball_mode *mode, arb_srcptr z,
                    double longest);
void ic_taylor_close(ic_taylor *taylor);

/** e = exp(d s M) for s, a ball inside [0, 1]. */
void ic_taylor_transition(arb_mat_t e, const ic_taylor *taylor, const arb_t s);

/** z at s; `e` is the transition to s, of this piece or another of the same mode and length. */
void ic_taylor_state(arb_ptr z, const ic_taylor *taylor, const arb_t s);
void ic_taylor_state_by(arb_ptr z, const ic_taylor *t, const arb_t s, const arb_mat_t e);

/** |row . exp(d s M)| w for all s in a ball in [0, 1]: the spread of row . z there due to z(a). */
void ic_taylor_spread(mag_t spread, const ic_taylor *taylor, arb_srcptr row, const arb_t s);

/**
 * The polynomial of row . z(s): `order` coefficients, and bounds of its remainder and that of its
 * derivative at s = 1.
 */
void ic_taylor_row(arb_ptr polynomial, mag_t remainder, mag_t remainder_rate, const ic_taylor *taylor,
                   arb_srcptr row);

/** As ic_taylor_row, from the midpoint m alone; the remainder of the derivative is the same. */
void ic_taylor_centre_row(arb_ptr polynomial, const ic_taylor *taylor, arb_srcptr row);

#endif
