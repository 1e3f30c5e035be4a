/* SPDX-License-Identifier: MIT */
/**
 * Impact laws with friction: the registered maps, which follow Coulomb's law through the impact,
 * and what programs do instead. With the impulse P and the inverse mass matrix W of the contact, v'
 * = v + W P:
 *
 *     newton-at-once   v_y' = -e v_y, and Coulomb's cone holds for the whole impulse (Moreau 1988): what time stepping does
 *     poisson-in-two   the same with e = 0; then e times its P_y, with friction that would stop the slip, within the cone
 *     frictionless     v_y' = -e v_y, P_x = 0
 */
#ifndef IC_AUDIT_IMPACT_LAWS_H
#define IC_AUDIT_IMPACT_LAWS_H

#include "impactcheck/impactcheck.h"

typedef struct ic_impact_law {
    const char *name;

    /* N s; false: the law says nothing of this impact */
    bool (*impulse)(double P[2], const ic_impact *impact);
} ic_impact_law;

enum { IC_IMPACT_LAWS = 6 };
extern const ic_impact_law ic_impact_laws[IC_IMPACT_LAWS];

/** NULL: there is none. */
const ic_impact_law *ic_impact_law_find(const char *name);

/** m/s; the velocity after the impact. false: the law says nothing of it. */
bool ic_impact_law_velocity(double v[2], const ic_impact_law *law, const ic_impact *impact);

#endif
