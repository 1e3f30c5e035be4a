/* SPDX-License-Identifier: MIT */
/**
 * Certified periodic orbits: existence, local uniqueness, smallest period and multipliers.
 *
 * Let P be a return map (reference/orbit/return_map.h). With an approximate fixed point y, Y close to
 * (I - P'(y))^-1 and a box X around y, Krawczyk's operator is
 *
 *     K(X) = y - Y (y - P(y)) + (I - Y (I - P'(X))) (X - y).
 *
 * If K(X) lies in the interior of X, P has exactly one fixed point in X, and it lies in K(X). P(y)
 * and P'(X) are enclosed by following the point, and the box, through all events; this also proves
 * that every start in X passes through the same events.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <acb.h>

/** What is known of an orbit before it is proved. */
typedef struct ic_orbit_request {
    /* an approximation, n states in `mode`: a few digits suffice */
    const double *x;
    int mode;

    /* number of returns after which it closes */
    int multiple;

    /*
     * The guard after whose events states are taken, of a problem without time in its formulas, and the
     * time, s, within which the event happens again; NULL: states are taken at multiples of the period
     * of a forced problem.
     */
    const char *event;
    double latest;

    /* accuracy of the fixed point relative to the states' scales */
    long digits;
} ic_orbit_request;

typedef struct ic_orbit {
    /* IC_OK: proved */
    ic_status status;

    /* The statement that was not proved, if status is not IC_OK. */
    char reason[320];

    /* number of states */
    slong n;

    /* bits */
    slong precision;

    /* m */
    int multiple;

    /* proved: no proper divisor of m suffices */
    bool minimal;

    /* proved: this proper divisor suffices; 0: none */
    int smaller;

    /* mode at the start */
    int mode;

    /*
     * the fixed point, n balls, of which those of discrete states are exact; there is no other one within
     * this many scales of its centre
     */
    arb_ptr x;
    double alone_within;

    /* its period, s */
    arb_t period;

    /* number of events in it */
    size_t events;

    /* eigenvalues of P' at the fixed point, m balls, unordered; NULL if they were not separated */
    acb_ptr multipliers;
    slong m;

    /* bounds the largest modulus of the multipliers */
    arb_t radius;

    /* proved: every multiplier lies inside the unit circle */
    bool stable;

    /* proved: one lies outside */
    bool unstable;
} ic_orbit;

/**
 * Proves a periodic orbit near an approximation. `problem` supplies case, variant and parameters, and
 * has all its formulas as operations (ic_setup_exact); its start and end are ignored. Release with
 * ic_orbit_clear in any case.
 */
void ic_orbit_certify(ic_orbit *orbit, const ic_problem *problem, const ic_orbit_request *request);
void ic_orbit_clear(ic_orbit *orbit);
