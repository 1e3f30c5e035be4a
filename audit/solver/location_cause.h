/* SPDX-License-Identifier: MIT */
/**
 * The cause of a wrong time or state of an impact of the swinging mass, found from the calls of the
 * guard.
 */
#ifndef IC_AUDIT_LOCATION_CAUSE_H
#define IC_AUDIT_LOCATION_CAUSE_H

#include "audit/common/finding.h"
#include "audit/solver/probe_oscillator.h"

/** The first impact, as the solver reports it. */
typedef struct ic_reported_impact {
    /* reported time and exact time, s */
    double t, t_right;

    /* the state reported before it, m and m/s */
    double x, v;

    /* distance of this state from the wall, divided by its speed, s */
    double beside;
} ic_reported_impact;

/** The mistake; IC_NO_MISTAKE: none that is known. */
ic_mistake_id ic_location_cause(const ic_probe_calls *calls, const ic_reported_impact *reported);

#endif
