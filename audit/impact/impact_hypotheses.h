/* SPDX-License-Identifier: MIT */
/** Faults in the impact that is solved. */
#ifndef IC_AUDIT_IMPACT_HYPOTHESES_H
#define IC_AUDIT_IMPACT_HYPOTHESES_H

#include "impactcheck/impactcheck.h"

/** A fault: the map solves another impact than the given one. */
typedef enum ic_impact_fault {
    /* none */
    IC_NO_FAULT,

    /* e^2 for e */
    IC_E_SQUARED,

    /* sqrt(e) for e: Stronge's with e for e^2 */
    IC_E_ROOT,

    /* w_xy = 0 */
    IC_UNCOUPLED,

    /* -w_xy */
    IC_COUPLING_REVERSED,

    /* W^-1 for W */
    IC_MASS_FOR_INVERSE,

    /* tan(atan(mu) in degrees) for mu */
    IC_DEGREES,

    IC_IMPACT_FAULTS
} ic_impact_fault;

/** The impact that a map with this fault solves. */
ic_impact ic_impact_with_fault(const ic_impact *impact, ic_impact_fault fault);

#endif
