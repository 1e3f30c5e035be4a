/* SPDX-License-Identifier: MIT */
/** Changes that may explain the answers of a map, with numbers taken from the answers. */
#ifndef IC_AUDIT_IMPACT_IMPACT_CANDIDATES_H
#define IC_AUDIT_IMPACT_IMPACT_CANDIDATES_H

#include "audit/impact/impact_model.h"
#include "audit/impact/impact_samples.h"

enum { IC_CHANGES_TRIED_MOST = 320 };

typedef struct ic_changes_tried {
    ic_impact_change of[IC_CHANGES_TRIED_MOST];
    size_t count;

    /* functions of the changes */
    ic_impact_curve curves[2 * IC_CURVE_ARGUMENTS];

    /* The answers keep v' = v + W P: no change that breaks it is tried. */
    bool keep_momentum;
} ic_changes_tried;

/** `tolerance`: of an answer, relative to it. The changes point into `tried`, which must not move. */
void ic_impact_candidates(ic_changes_tried *tried, const ic_impact_samples *samples, double tolerance);

#endif
