/* SPDX-License-Identifier: MIT */
/**
 * How far a solver's impacts are off the wall, and what this distance scales with: the step, the
 * magnitude of the guard, or neither.
 */
#ifndef IC_AUDIT_LOCATION_SCALE_H
#define IC_AUDIT_LOCATION_SCALE_H

#include "audit/common/finding.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_location_scale {
    /* True if all runs ended well. */
    bool known;

    /* median over irrational places of a step, s: reported state off the wall */
    double off;

    /* with the smaller steps, s: median time late, and the error that is requested or that the same motion
       has without a wall, whichever is greater; their ratio */
    double late, motion, beyond_motion;

    /* powers of the step and of the guard's inverse magnitude by which `off` falls */
    double by_step, by_guard;

    /* `off` over the length of a step */
    double of_step;

    /*
     * IC_NO_MISTAKE: the search has converged. NO_EVENT_LOCATION, LOCATION_CUT_SHORT,
     * RESIDUAL_TOLERANCE, ABSOLUTE_TIME: it has not.
     */
    ic_mistake_id cause;
} ic_location_scale;

ic_location_scale ic_location_scale_of(const ic_solver *solver);

#endif
