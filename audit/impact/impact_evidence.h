/* SPDX-License-Identifier: MIT */
/**
 * What is measured of a map's answers, the worst of each, and what these tell of the mistake that
 * is behind them.
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
    ic_hypothesis_found found; /* to be set when all has been judged */
    ic_impact_answers answers;
    /* what explains all of their friction; to be set when all has been judged */
    ic_mistake_id explained;
    double e_least, e_most;           /* rebound of central impacts over e */
    double factor_least, factor_most; /* impulse by velocities over the impulse told */
    double slide_least, slide_most;   /* P_x over mu P_y where the slip goes on in its direction */
    /* impacts; those of them in which it sticks once it has stopped */
    size_t wrong_friction, stuck;
    size_t wrong_sticking, through;   /* that should stick; that end with the slip turned round */
    size_t reversals;                 /* that should slide back */
    size_t wrong_reversal, kept_sign; /* of these; that are off to the side of the first friction */
    size_t with_friction, without;
    size_t stopped_bouncing; /* slow impacts that end without rebound, and should not */
    size_t e_counts;         /* impacts in which e changes v_y' */
    bool work_told, path_told;
} ic_impact_evidence;

void ic_impact_evidence_begin(ic_impact_evidence *e);

/** Keep the greatest value of a measure, with the number of its trial. */
void ic_impact_note(ic_impact_evidence *e, ic_impact_measure measure, double value, size_t trial);

/** N s; by which deviations of impulses are divided */
double ic_impulse_scale(const ic_impact *p, const ic_impact_result *r);

/** All that the answer to trial i tells by itself. */
void ic_impact_judge(ic_impact_evidence *e, size_t i, const ic_impact *p, const ic_impact_result *r);

/** Whether a measure is above the tolerance. */
bool ic_impact_fails(const ic_impact_evidence *e, ic_impact_measure measure);

/** The likely cause of a row that fails. */
ic_mistake_id ic_impact_cause(const ic_impact_evidence *e, ic_impact_measure measure);

/** Energy that the normal motion gains is what Poisson's hypothesis itself does. */
bool ic_impact_gain_is_poissons(const ic_impact_evidence *e, const char *name);

#endif
