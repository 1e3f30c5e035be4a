/* SPDX-License-Identifier: MIT */
/** Measures of the answers of a map: the worst value of each, and where it is. */
#ifndef IC_AUDIT_IMPACT_IMPACT_EVIDENCE_H
#define IC_AUDIT_IMPACT_IMPACT_EVIDENCE_H

#include "audit/impact/impact_samples.h"

typedef enum ic_impact_measure {
    IC_OF_MOMENTUM,
    IC_OF_CONE,
    IC_OF_SEPARATION,
    IC_OF_ENERGY,
    IC_OF_NORMAL_ENERGY,
    IC_OF_FRICTION,
    IC_OF_MASS,
    IC_OF_SLOWNESS,
    IC_OF_REFLECTION,
    IC_OF_PLASTIC,
    IC_OF_CENTRAL,
    IC_OF_SMOOTH,
    IC_OF_WORK,
    IC_OF_NORMAL_WORK,
    IC_OF_PATH,
    IC_IMPACT_MEASURES
} ic_impact_measure;

typedef struct ic_impact_evidence {
    struct {
        double value;
        size_t trial;

        /* trials in which the value exceeds the tolerance */
        size_t failing;
    } worst[IC_IMPACT_MEASURES];

    /* Number of slow impacts without the rebound that they should have. */
    size_t stopped_bouncing;

    /* Number of impacts in which e changes v_y'. */
    size_t e_counts;

    /* Impacts with friction; those of them in which the map has none. */
    size_t with_friction, without;

    /* True if the map reports D_N or D_T; true if it reports a path. */
    bool has_work, has_path;
} ic_impact_evidence;

/** Takes all measures. */
void ic_impact_measure_all(ic_impact_evidence *e, const ic_impact_samples *samples);

/** One measure of one trial; 0: it does not apply. */
double ic_impact_measured(const ic_impact_samples *samples, size_t trial, ic_impact_measure measure);

/** The trial, or its copy in other units or in a mirror: what a measure compares with the trial. */
ic_impact_variant ic_impact_measured_on(ic_impact_measure measure);

/** The answer to a variant that follows from that to the trial. */
ic_impact_result ic_impact_carried_over(const ic_impact_result *r, ic_impact_variant variant);

/** Whether a measure exceeds the tolerance. */
bool ic_impact_fails(const ic_impact_evidence *e, ic_impact_measure measure);

#endif
