/* SPDX-License-Identifier: MIT */
/**
 * Proved period doublings of forced problems. A parameter p goes from one value to another, and:
 *
 *   - for each p there is exactly one orbit of m periods near a curve, which is followed in arcs (arc.h);
 *   - up to p = before all multipliers lie inside the unit circle;
 *   - from p = after on one multiplier is real and below -1, and the others lie inside.
 *
 * So a multiplier passes -1 between `before` and `after`, where -1 is an eigenvalue of the derivative of the
 * return map: its determinant with the identity added changes its sign.
 */
#ifndef IC_REFERENCE_DOUBLING_H
#define IC_REFERENCE_DOUBLING_H

#include "reference/ball.h"

#include "impactcheck/impactcheck.h"

typedef struct ic_doubling_request {
    /* number of the parameter, and the texts of its first and last value */
    size_t parameter;
    const char *from, *to;

    /* an approximation of the orbit at the first value: n states in `mode`, and its number of periods */
    const double *x;
    int mode, multiple;

    /* accuracy of the value at which the multiplier passes -1, relative to the interval: about 10^-digits */
    long digits;

    /* called with the part of the interval that is proved; may be NULL */
    void (*watch)(double part, void *context);
    void *context;
} ic_doubling_request;

typedef struct ic_doubling {
    /* IC_OK: proved */
    ic_status status;

    /* what was not proved, if status is not IC_OK */
    char reason[320];

    int multiple, mode;

    /* the interval, rounded outwards; and the values between which the multiplier passes -1 */
    double from, to, before, after;

    /* number of arcs that cover the interval; events in the orbit */
    size_t arcs, events;

    /* the multiplier that passes -1, at `from` (if it is real there) and at `to` */
    arb_t critical_from, critical_to;

    /* states at `from` and at `to`, n balls */
    slong n;
    arb_ptr x_from, x_to;
} ic_doubling;

/**
 * Proves a period doubling. `problem` has all its formulas as operations (ic_setup_exact) and other
 * parameters exact; its own value of the parameter does not matter. Release with ic_doubling_clear in any case.
 */
void ic_doubling_certify(ic_doubling *doubling, const ic_problem *problem, const ic_doubling_request *request);
void ic_doubling_clear(ic_doubling *doubling);

#endif
