/* SPDX-License-Identifier: MIT */
/** Laws of compliant contacts that say where a rigid impact ends, whatever the stiffness. */
#ifndef IC_AUDIT_ENGINE_COMPLIANT_H
#define IC_AUDIT_ENGINE_COMPLIANT_H

#include "audit/impact/impact_laws.h"

/**
 * Hunt and Crossley's force with Coulomb's friction, and the damping with which a central impact
 * returns e.
 */
extern const ic_impact_law ic_law_of_hunt_crossley;

#endif
