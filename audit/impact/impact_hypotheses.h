/* SPDX-License-Identifier: MIT */
/**
 * Hypotheses of a rigid impact, and faults in the impact that is solved: the search for the one
 * that gives the impulses of a map.
 */
#ifndef IC_AUDIT_IMPACT_HYPOTHESES_H
#define IC_AUDIT_IMPACT_HYPOTHESES_H

#include "audit/common/finding_writer.h"

/** Laws of audit/impact/impact_laws.h. */
typedef enum ic_hypothesis {
    IC_NEWTON,
    IC_POISSON,
    IC_STRONGE,
    IC_NEWTON_AT_ONCE,
    IC_FRICTIONLESS,

    /* None of them. */
    IC_HYPOTHESES
} ic_hypothesis;

/** "newton", ... */
const char *ic_hypothesis_name(ic_hypothesis hypothesis);

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

/** Greatest deviation of P from each hypothesis with each fault, divided by the impulse. */
typedef struct ic_hypothesis_fits {
    double misfit[IC_HYPOTHESES][IC_IMPACT_FAULTS];
} ic_hypothesis_fits;

void ic_hypotheses_compare(ic_hypothesis_fits *fits, const ic_impact *impact, const double P[2]);

/** The result of the search. */
typedef struct ic_hypothesis_found {
    /* IC_HYPOTHESES: no hypothesis fits, or several do. */
    ic_hypothesis hypothesis;

    ic_impact_fault fault;

    /* The mistake that corresponds to the fault. */
    ic_mistake_id mistake;
} ic_hypothesis_found;

/** Adds the classification "impact hypothesis". */
ic_hypothesis_found ic_hypotheses_classify(ic_finding_writer *writer, const ic_hypothesis_fits *fits,
                                           double tolerance, size_t impacts);

#endif
