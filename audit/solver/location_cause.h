/* SPDX-License-Identifier: MIT */
/**
 * What the wrong time, or the wrong state, of an impact of the swinging mass comes from: read off
 * what the solver has asked the guard.
 */
#ifndef IC_AUDIT_LOCATION_CAUSE_H
#define IC_AUDIT_LOCATION_CAUSE_H

#include "audit/common/finding.h"
#include "audit/solver/probe_oscillator.h"

/* s; times that are the same number, up to how they were added up */
#define IC_SAME_TIME 1e-9

/** The first impact as it is told. */
typedef struct ic_told_impact {
    /* s; told, and when it is */
    double t, t_right;

    /* m, m/s; the state told before it */
    double x, v;

    /* s; how far that is from the wall, by its speed */
    double beside;
} ic_told_impact;

/** IC_NO_MISTAKE: none that is known. */
ic_mistake_id ic_location_cause(const ic_probe_calls *calls, const ic_told_impact *told);

#endif
