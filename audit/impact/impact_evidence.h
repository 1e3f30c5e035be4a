/* SPDX-License-Identifier: MIT */
/**
 * Measures of the results of a map, the worst value of each, and the mistake that they indicate.
 */
#ifndef IC_AUDIT_IMPACT_EVIDENCE_H
#define IC_AUDIT_IMPACT_EVIDENCE_H

#include "audit/impact/impact_answers.h"
#include "audit/impact/impact_hypotheses.h"

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
    IC_OF_REPETITION,
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
    } worst[IC_IMPACT_MEASURES];

    ic_hypothesis_fits fits;

    /* the hypothesis that fits; set after the last trial */
    ic_hypothesis_found found;

    ic_impact_answers answers;

    /* the mistake that explains friction in all trials; set after the last trial */
    ic_mistake_id explained;

    /* Rebound of central impacts divided by e. */
    double e_least, e_most;

    /* Impulse computed from the velocities divided by the reported impulse. */
    double factor_least, factor_most;

    /* P_x divided by mu P_y in impacts whose slip continues in its direction. */
    double slide_least, slide_most;

    /*
     * Number of impacts with wrong friction; number of those that stick after the slip has stopped.
     */
    size_t wrong_friction, stuck;

    /*
     * Number of impacts with wrong friction that should stick; number of those in which the slip
     * reverses.
     */
    size_t wrong_sticking, through;

    /* Number of impacts that should slide back. */
    size_t reversals;

    /*
     * Number of those with wrong friction; number of these whose error has the direction of the
     * first friction.
     */
    size_t wrong_reversal, kept_sign;

    /* Number of impacts with friction; number of those in which the map has no friction. */
    size_t with_friction, without;

    /* Number of slow impacts without the rebound that they should have. */
    size_t stopped_bouncing;

    /* Number of impacts in which e changes v_y'. */
    size_t e_counts;

    /* True if the map reports D_N or D_T; true if it reports a path. */
    bool has_work, has_path;
} ic_impact_evidence;

void ic_impact_evidence_begin(ic_impact_evidence *e);

/** Keeps the greatest value of a measure, with the number of its trial. */
void ic_impact_note(ic_impact_evidence *e, ic_impact_measure measure, double value, size_t trial);

/** N s; the scale of deviations of impulses */
double ic_impulse_scale(const ic_impact *p, const ic_impact_result *r);

/** Takes all measures of the result of trial i. */
void ic_impact_judge(ic_impact_evidence *e, size_t i, const ic_impact *p, const ic_impact_result *r);

/** Whether a measure exceeds the tolerance. */
bool ic_impact_fails(const ic_impact_evidence *e, ic_impact_measure measure);

/** The likely cause of a row that fails. */
ic_mistake_id ic_impact_cause(const ic_impact_evidence *e, ic_impact_measure measure);

/** Whether the normal motion gains energy by Poisson's hypothesis itself. */
bool ic_impact_gain_is_poissons(const ic_impact_evidence *e, const char *name);

#endif
