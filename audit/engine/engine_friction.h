/* SPDX-License-Identifier: MIT */
/** Friction as engines may get it wrong: impulses that no factor makes of the right ones. */
#ifndef IC_AUDIT_ENGINE_FRICTION_H
#define IC_AUDIT_ENGINE_FRICTION_H

#include "audit/impact/impact_laws.h"

/**
 * N s; v_y' = -e v_y, and P_x stops the slip within mu times the normal impulse that there would be
 * without friction.
 */
void ic_impulse_fixed_bound(double P[2], const ic_impact *impact);

/**
 * N s; the law on a path that sticks once the slip has stopped, however small mu is. false: it is
 * no law of such a path.
 */
bool ic_impulse_that_sticks(double P[2], const ic_impact *impact, const ic_impact_law *law);

#endif
