/* SPDX-License-Identifier: MIT */
/**
 * Hypotheses of a rigid impact, and the ways in which one is got wrong from its first line on:
 * which of them gives the impulses of a map.
 */
#ifndef IC_AUDIT_IMPACT_HYPOTHESES_H
#define IC_AUDIT_IMPACT_HYPOTHESES_H

#include "audit/common/sink.h"

/** Laws of audit/impact/impact_laws.h. */
typedef enum ic_hypothesis {
    IC_NEWTON,
    IC_POISSON,
    IC_STRONGE,
    IC_NEWTON_AT_ONCE,
    IC_FRICTIONLESS,

    /* none of them */
    IC_HYPOTHESES
} ic_hypothesis;

/** "newton", ... */
const char *ic_hypothesis_name(ic_hypothesis hypothesis);

/** An impact that stands in the place of the one that was asked about. */
typedef enum ic_twist {
    /* none */
    IC_STRAIGHT,

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

    IC_TWISTS
} ic_twist;

/** The impact that a twist puts in the place of one. */
ic_impact ic_impact_twisted(const ic_impact *impact, ic_twist twist);

/** Greatest deviation of P from each, over the impulse. */
typedef struct ic_hypothesis_fits {
    double misfit[IC_HYPOTHESES][IC_TWISTS];
} ic_hypothesis_fits;

void ic_hypotheses_compare(ic_hypothesis_fits *fits, const ic_impact *impact, const double P[2]);

/** What it is. */
typedef struct ic_hypothesis_found {
    /* IC_HYPOTHESES: none, or more than one */
    ic_hypothesis hypothesis;

    ic_twist twist;

    /* that the twist is */
    ic_mistake_id mistake;
} ic_hypothesis_found;

/** Add the classification "impact hypothesis". */
ic_hypothesis_found ic_hypotheses_classify(ic_sink *sink, const ic_hypothesis_fits *fits, double tolerance,
                                           size_t impacts);

#endif
