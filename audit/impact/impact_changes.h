/* SPDX-License-Identifier: MIT */
/** Rules of impact maps, and the changes by which a map that follows one can be wrong. */
#ifndef IC_AUDIT_IMPACT_IMPACT_CHANGES_H
#define IC_AUDIT_IMPACT_IMPACT_CHANGES_H

#include "audit/common/finding.h"
#include "audit/impact/impact_curve.h"

/** Rules for the end of the impact. */
typedef enum ic_impact_rule {
    /* on Coulomb's path */
    IC_RULE_NEWTON,
    IC_RULE_POISSON,
    IC_RULE_STRONGE,

    /* of the whole impulse, or of two of them: audit/impact/published_rules.h */
    IC_RULE_AT_ONCE,
    IC_RULE_IN_TWO,
    IC_RULE_BRACH,
    IC_RULE_WHITTAKER,
    IC_RULE_CHATTERJEE,
    IC_RULE_SMITH,
    IC_RULE_POISSON_AT_ONCE,
    IC_RULE_FRICTION_BOUND,

    /* Coulomb's path up to the P_y of the answer, whatever rule has given that */
    IC_RULE_OWN,
    IC_IMPACT_RULES
} ic_impact_rule;

/** Groups of changes, which exclude each other. */
typedef enum ic_change_group {
    IC_GROUP_NONE,
    IC_GROUP_W,
    IC_GROUP_V,
    IC_GROUP_MU,
    IC_GROUP_PATH,
    IC_GROUP_E,
    IC_GROUP_END,
    IC_GROUP_WHOLE,
    IC_GROUP_P,
    IC_GROUP_OUT
} ic_change_group;

/** Kinds of changes by group: audit/impact/impact_changes.def. `by` is their number. */
typedef enum ic_change_kind {
    IC_CHANGE_NONE,
#define IC_BELIEF(group_, kind_, ...) IC_##group_##_##kind_,
#define IC_WALKED IC_BELIEF
#define IC_ANSWER IC_BELIEF
#include "audit/impact/impact_changes.def"
#undef IC_BELIEF
#undef IC_WALKED
#undef IC_ANSWER
    IC_CHANGE_KINDS
} ic_change_kind;

typedef struct ic_impact_change {
    ic_change_kind kind;
    double by;

    /* of IC_MU_CURVE and IC_E_CURVE; owned by the found model */
    const ic_impact_curve *curve;

    /* v' = v + W P with the given W and v, although the impulse is that of others */
    bool true_velocity;
} ic_impact_change;

/** Whether its text has a number, which is to be found in the answers. */
bool ic_change_has_number(ic_change_kind kind);

/** Whether v' = v + W P, with the given v and W, is broken by it. */
bool ic_change_breaks_momentum(const ic_impact_change *change);

ic_change_group ic_change_group_of(ic_change_kind kind);
ic_mistake_id ic_change_mistake(const ic_impact_change *change);

/** A sentence in the words of the change, with its number. */
void ic_change_describe(char *text, size_t size, const ic_impact_change *change);

#endif
