/* SPDX-License-Identifier: MIT */
/**
 * Mistakes that are known from the first part of an audit, and the failures that they may claim in the
 * others: those at which a solver with this mistake alone would fail.
 */
#ifndef IC_AUDIT_SOLVER_KNOWN_H
#define IC_AUDIT_SOLVER_KNOWN_H

#include "audit/common/finding_writer.h"

/** What they are mistakes of. */
typedef enum ic_known_role {
    /* times of events and states at them */
    IC_KNOWN_EVENTS,

    /* steps, without events */
    IC_KNOWN_STEPS,

    /* IC_MISTAKE_DIRECTION_IGNORED, or none */
    IC_KNOWN_DIRECTION,

    /* IC_MISTAKE_INTERPOLANT_COARSE, or none, if it is not so coarse that its check fails: it claims what
       nothing else does */
    IC_KNOWN_INTERPOLANT,

    /* of samples alone */
    IC_KNOWN_SAMPLES,
    IC_KNOWN_ROLES
} ic_known_role;

typedef struct ic_known {
    ic_mistake_id of[IC_KNOWN_ROLES];
} ic_known;

/** What is wrong in a run. */
typedef enum ic_wrong {
    /* the motion before the first event */
    IC_WRONG_BEFORE,

    /* times of events, or the motion after them */
    IC_WRONG_AFTER,

    /* an additional or missing event */
    IC_WRONG_EVENTS,

    /* samples, where events and the end are right */
    IC_WRONG_SAMPLES,

    /* states before events alone */
    IC_WRONG_STATES_BEFORE,

    /* the end alone */
    IC_WRONG_END,

    /* the run does not finish */
    IC_WRONG_STATUS,
} ic_wrong;

/** Whether a solver with this mistake alone would fail there. */
bool ic_may_claim(ic_mistake_id mistake, ic_wrong wrong);

/** The known mistake that claims a failure; IC_NO_MISTAKE: none. */
ic_mistake_id ic_known_claim(const ic_known *known, ic_wrong wrong);

/** The mistake of events, or else of steps. */
ic_mistake_id ic_known_first(const ic_known *known);

/** Send them, as records of IC_RECORD_MISTAKE, and take such a record; false: it is malformed. */
void ic_write_known(ic_finding_writer *writer, const ic_known *known);
bool ic_known_take(ic_known *known, const ic_record *record);

#endif
