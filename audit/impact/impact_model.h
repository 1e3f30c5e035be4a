/* SPDX-License-Identifier: MIT */
/**
 * A map as it may be written: a rule for the end of the impact, and changes that are mistakes. With
 * them the answer of a wrong map can be predicted, and so recognised.
 *
 * Written independently of solvers/rigid: a walk along Routh's path, from corner to corner.
 */
#ifndef IC_AUDIT_IMPACT_IMPACT_MODEL_H
#define IC_AUDIT_IMPACT_IMPACT_MODEL_H

#include "audit/impact/impact_changes.h"

/** "newton", "chatterjee-ruina", ... */
const char *ic_impact_rule_name(ic_impact_rule rule);

/** The rule that the name of a map says, also by its author: "moreau". IC_IMPACT_RULES: it says none. */
ic_impact_rule ic_impact_rule_named(const char *name);

/** Whether the rule holds on Coulomb's path. */
bool ic_impact_rule_on_path(ic_impact_rule rule);

/** Two, and one that breaks momentum. */
enum { IC_CHANGES_MOST = 3 };

typedef struct ic_impact_model {
    ic_impact_rule rule;
    ic_impact_change changes[IC_CHANGES_MOST];
} ic_impact_model;

/**
 * The answer of the model: v, P, D_N and D_T. `P_y`, N s: of the answer, for IC_RULE_OWN. false: the
 * model has no answer, or several.
 */
bool ic_impact_model_solve(ic_impact_result *r, const ic_impact *p, double P_y, const ic_impact_model *model);

/**
 * Takes a change that breaks momentum out of an answer: `p` becomes the impact that the map believes
 * to solve, `r` the answer to it. false: the answer was not given with this change.
 */
bool ic_impact_undo(ic_impact *p, ic_impact_result *r, const ic_impact_change *change, double tolerance);

/** The impact that the model believes to solve, if its W is symmetric. */
ic_impact ic_impact_believed(const ic_impact *p, const ic_impact_model *model);

#endif
