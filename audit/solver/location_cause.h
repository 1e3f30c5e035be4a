/* SPDX-License-Identifier: MIT */
/**
 * The cause of a wrong time or state of an impact of the swinging mass, found from the calls of the
 * guard.
 */
#ifndef IC_AUDIT_LOCATION_CAUSE_H
#define IC_AUDIT_LOCATION_CAUSE_H

#include "audit/common/finding.h"
#include "audit/solver/probe_oscillator.h"

/* s; rounding of equal times */
#define IC_SAME_TIME 1e-9

/** The first impact, as the solver reports it. */
typedef struct ic_reported_impact {
    /* s; reported, and exact */
    double t, t_right;

    /* m, m/s; the state reported before it */
    double x, v;

    /* s; distance of this state from the wall, over its speed */
    double beside;
} ic_reported_impact;

/** The mistake; IC_NO_MISTAKE: none that is known. */
ic_mistake_id ic_location_cause(const ic_probe_calls *calls, const ic_reported_impact *reported);

#endif
