/* SPDX-License-Identifier: MIT */
/**
 * Impact laws with friction: the registered maps, which follow Coulomb's law through the impact,
 * and simpler ones of programs. With the impulse P and the inverse mass matrix W of the contact, v'
 * = v + W P:
 *
 *     newton-at-once   v_y' = -e v_y, Coulomb's cone for the whole impulse (Moreau 1988): time stepping
 *     poisson-in-two   the same with e = 0; then e times its P_y, and friction against the slip in the cone
 *     frictionless     v_y' = -e v_y, P_x = 0
 */
#ifndef IC_AUDIT_IMPACT_LAWS_H
#define IC_AUDIT_IMPACT_LAWS_H

#include "impactcheck/impactcheck.h"

typedef struct ic_impact_law {
    const char *name;

    /* N s; false: the law is not defined for this impact */
    bool (*impulse)(double P[2], const ic_impact *impact);
} ic_impact_law;

enum { IC_IMPACT_LAWS = 6 };
extern const ic_impact_law ic_impact_laws[IC_IMPACT_LAWS];

/** NULL: no law has this name. */
const ic_impact_law *ic_impact_law_find(const char *name);

/** The velocity after the impact, m/s. false: the law is not defined for it. */
bool ic_impact_law_velocity(double v[2], const ic_impact_law *law, const ic_impact *impact);

#endif
