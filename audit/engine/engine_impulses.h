/* SPDX-License-Identifier: MIT */
/** Impulses that engines apply and that no registered impact map provides. */
#ifndef IC_AUDIT_ENGINE_IMPULSES_H
#define IC_AUDIT_ENGINE_IMPULSES_H

#include "audit/impact/impact_laws.h"

/**
 * Hunt and Crossley's force with Coulomb friction, and the damping with which a central impact
 * returns e. Where the impact ends does not depend on the stiffness.
 */
extern const ic_impact_law ic_law_of_hunt_crossley;

/**
 * N s; v_y' = -e v_y, and P_x stops the slip within mu times the normal impulse that the impact
 * would have without friction.
 */
void ic_impulse_fixed_bound(double P[2], const ic_impact *p);

/**
 * Impulse, N s: the law on a path that sticks after the slip has stopped, even if mu is small.
 * false: the law is not defined on such a path.
 */
bool ic_impulse_that_sticks(double P[2], const ic_impact *impact, const ic_impact_law *law);

#endif
