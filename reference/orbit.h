/* SPDX-License-Identifier: MIT */
/**
 * Certified periodic orbits of forced problems: existence, local uniqueness and multipliers.
 *
 * Let P map the state at a time t = 0 modulo the forcing's period T to the state m periods later.
 * With an approximate fixed point y, Y close to (I - P'(y))^-1 and a box X around y, Krawczyk's
 * operator is
 *
 *     K(X) = y - Y (y - P(y)) + (I - Y (I - P'(X))) (X - y).
 *
 * If K(X) lies in the interior of X, P has exactly one fixed point in X, and it lies in K(X). P(y)
 * and P'(X) are enclosed by following the point, and the box, through all events, with saltation
 * matrices at the events; this also proves that every start in X passes through the same events.
 */
#ifndef IC_REFERENCE_ORBIT_H
#define IC_REFERENCE_ORBIT_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <acb.h>

typedef struct ic_orbit {
    /* IC_OK: proved */
    ic_status status;

    /* The statement that was not proved, if status is not IC_OK. */
    char reason[320];

    /* number of states; precision in bits */
    slong n, precision;

    /* m */
    int multiple;

    /* proved: no proper divisor of m suffices */
    bool minimal;

    /* mode at the strobe time */
    int mode;

    /* the fixed point, n balls */
    arb_ptr x;

    /* number of events in m periods */
    size_t events;

    /* eigenvalues of P' at the fixed point, n balls, unordered; NULL if they were not separated */
    acb_ptr multipliers;

    /* bounds the largest modulus of the multipliers */
    arb_t radius;

    /* proved: every multiplier lies inside the unit circle */
    bool stable;
} ic_orbit;

/**
 * Proves a periodic orbit near an approximation x (n states, a few digits suffice) in `mode` at t =
 * 0 modulo the period, with the given multiple. `problem` supplies case, variant and parameters;
 * its start and end are ignored. digits: accuracy of the fixed point relative to the states'
 * scales. Release with ic_orbit_clear in any case.
 */
void ic_orbit_certify(ic_orbit *orbit, const ic_problem *problem, const double *x, int mode, int multiple,
                      long digits);
void ic_orbit_clear(ic_orbit *orbit);

#endif
