/* SPDX-License-Identifier: MIT */
/** All results of a map, and the search for one mistake that explains every one of them. */
#ifndef IC_AUDIT_IMPACT_ANSWERS_H
#define IC_AUDIT_IMPACT_ANSWERS_H

#include "audit/common/finding.h"
#include "audit/impact/impact_trials.h"

typedef struct ic_impact_answers {
    bool given[IC_IMPACT_TRIALS];

    /* N s */
    double P[IC_IMPACT_TRIALS][2];

    /* velocity after the impact, m/s */
    double v[IC_IMPACT_TRIALS][2];
} ic_impact_answers;

/** Keeps the result of a trial. */
void ic_impact_keep(ic_impact_answers *answers, size_t trial, const ic_impact_result *result);

/**
 * The mistake in the path of friction, or in its coefficient, with which every P_x follows from its
 * P_y; IC_NO_MISTAKE: there is no such mistake, or friction is right. P_y is taken from the map, so
 * that restitution does not matter.
 */
ic_mistake_id ic_friction_explained(const ic_impact_answers *answers);

/**
 * The mistake that explains why velocities and impulses disagree; IC_NO_MISTAKE: no known one does.
 */
ic_mistake_id ic_momentum_explained(const ic_impact_answers *answers);

#endif
