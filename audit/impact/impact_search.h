/* SPDX-License-Identifier: MIT */
/** The search for the model that gives all answers of a map. */
#ifndef IC_AUDIT_IMPACT_IMPACT_SEARCH_H
#define IC_AUDIT_IMPACT_IMPACT_SEARCH_H

#include "audit/impact/impact_candidates.h"
#include "audit/impact/impact_model.h"
#include "audit/impact/impact_samples.h"

/** A change and the samples in which it acts. */
typedef struct ic_found_change {
    ic_impact_change change;

    /* Only in those samples that the rest of the model does not explain. */
    bool conditional;
} ic_found_change;

typedef struct ic_impact_found {
    /* A model was found. Without changes the map follows its rule exactly. */
    bool good;

    ic_impact_rule rule;

    ic_found_change changes[IC_CHANGES_MOST];

    size_t n_changes;

    /* v' = v + W P holds with this change, and only with it; IC_CHANGE_NONE: none is known or needed */
    ic_impact_change of_momentum;

    /* If no model gives all answers: that which gives most of the trials, with at most one change, and how many. */
    ic_impact_model nearest;
    size_t exact;

    /* what was tried last; changes point to its functions */
    ic_changes_tried tried;

    /* Samples in which conditional changes act. */
    unsigned char acts[IC_IMPACT_SAMPLES];
} ic_impact_found;

/** Finds the simplest model; fewer changes are simpler. `tolerance`: of an answer, relative to it. */
void ic_impact_search(ic_impact_found *found, const ic_impact_samples *samples, double tolerance);

/** Whether the answer to a sample is that of a model. `undefined`: the model has none. */
bool ic_impact_matches(const ic_impact_samples *samples, size_t sample, const ic_impact_model *model,
                       double tolerance, bool *undefined);

/**
 * The answers that a map with some of the found changes would give: bit k of `with` is that of change
 * k. Answers that its model leaves open are those of the map.
 */
void ic_impact_simulate(ic_impact_samples *simulated, const ic_impact_samples *samples,
                        const ic_impact_found *found, unsigned with);

/** The found model of one sample. */
ic_impact_model ic_impact_model_of(const ic_impact_found *found, size_t sample, unsigned with);

/** Deviations of P from a model in usual trials: median, greatest, and the part of them below 0.01. */
typedef struct ic_nearness {
    double median, most, within_hundredth;
} ic_nearness;

ic_nearness ic_impact_nearness(const ic_impact_samples *samples, const ic_impact_model *model);

#endif
