/* SPDX-License-Identifier: MIT */
/**
 * Impact laws as an engine may get them wrong: of each law and each mistake what the impacts would
 * be, and which of them they are. A mistake of unknown size (friction by a factor) is fitted.
 */
#ifndef IC_AUDIT_ENGINE_TWISTS_H
#define IC_AUDIT_ENGINE_TWISTS_H

#include "audit/common/finding.h"
#include "audit/engine/engine_probes.h"
#include "audit/impact/impact_laws.h"

/** Laws of an engine: those of audit/impact/impact_laws.h, and Hunt and Crossley's. */
enum { IC_ENGINE_LAWS = IC_IMPACT_LAWS + 1 };

const ic_impact_law *ic_engine_law(size_t i);

/** The change of velocities that a law says. false: it says nothing of this impact. */
bool ic_engine_law_change(double change[3], const ic_engine_probe *probe, size_t law);

/** What explains impacts that no law explains. */
typedef struct ic_engine_explanation {
    /* IC_NO_MISTAKE: none explains them, or several do alike */
    ic_mistake_id mistake;

    /* 1; root mean square of the deviation that is left */
    double misfit;

    /* "newton with friction 0.5 times as great"; else why there is none */
    char text[160];
} ic_engine_explanation;

/**
 * `unexplained`: root mean square of the deviation from the nearest law; `agrees`: what counts as
 * none.
 */
ic_engine_explanation ic_engine_explain(const ic_engine_probe probes[IC_ENGINE_PROBES], double unexplained,
                                        double agrees);

#endif
