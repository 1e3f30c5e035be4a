/* SPDX-License-Identifier: MIT */
/** A walk along Routh's path from corner to corner, right or with one of its parts changed. */
#ifndef IC_AUDIT_IMPACT_IMPACT_WALK_H
#define IC_AUDIT_IMPACT_IMPACT_WALK_H

#include "audit/impact/impact_changes.h"

/** The impact that is solved. */
typedef struct ic_believed_impact {
    /* m/s; 1/kg: a row for each component of v */
    double v[2], w[2][2];

    double mu, e;

    /* changes of the path, the end, and a law for the whole impulse; IC_CHANGE_NONE */
    ic_change_kind path, end, whole;

    /* their numbers */
    double path_by, end_by, whole_by;

    /* v_x, m/s, is kept, but taken as no slip. */
    bool held;

    /* N s; of IC_RULE_OWN */
    double own_P_y;
} ic_believed_impact;

/** v, P, D_N and D_T by a rule on the path. false: the path or the rule has no end. */
bool ic_impact_walk(ic_impact_result *r, const ic_believed_impact *b, ic_impact_rule rule);

#endif
