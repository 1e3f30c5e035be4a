/* SPDX-License-Identifier: MIT */
/**
 * Proved period doublings of forced problems. A parameter p goes from one value to another, and:
 *
 *   - for each p there is exactly one orbit of m periods near a curve, which is followed in arcs (arc.h);
 *   - one of its multipliers, mu, is real and simple; it is above -1 at the first value, below -1 at the last
 *     one, and passes -1 once, with a rate that is not zero;
 *   - all other multipliers lie inside the unit circle.
 *
 * So the orbit is stable up to a value p*, between `before` and `after`, and unstable from there on.
 */
#pragma once

#include "reference/ball.h"

#include "impactcheck/impactcheck.h"

typedef struct ic_doubling_request {
    /* number of the parameter, and the texts of its first and last value */
    size_t parameter;
    const char *from, *to;

    /* an approximation of the orbit at the first value: n states in `mode`, and its number of periods */
    const double *x;
    int mode, multiple;

    /* accuracy of p*, relative to the interval: about 10^-digits */
    long digits;

    /* called with the part of the interval that is proved; may be NULL */
    void (*watch)(double part, void *context);
    void *context;
} ic_doubling_request;

typedef struct ic_doubling {
    /* IC_OK: proved; IC_INVALID: the request makes no sense */
    ic_status status;

    /* what was not proved, if status is not IC_OK */
    char reason[320];

    int multiple, mode;

    /* the interval, rounded outwards */
    double from, to;

    /* the values between which p* lies */
    double before, after;

    /* number of arcs that cover the interval */
    size_t arcs;

    /* number of events in the orbit */
    size_t events;

    /* mu at `from` and at `to`, and d mu/dp at p* */
    arb_t multiplier_from, multiplier_to, speed;

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
