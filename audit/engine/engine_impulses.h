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
 * N s; v' = (0, -e v_y) where that impulse is in Coulomb's cone, otherwise v_y' = -e v_y on the edge of the cone that is
 * against the slip before the impact, or on the other one if no impulse on that edge has this effect.
 */
void ic_impulse_edge_by_slip(double P[2], const ic_impact *p);

/**
 * N s; two impacts one after the other, each with Coulomb's cone for its impulse: to the normal
 * velocity `between`, m/s, then to -e v_y. Schatzman and Paoli's steps make an impact in two.
 */
void ic_impulse_in_two_steps(double P[2], const ic_impact *p, double between);

/**
 * N s; v' = (-e_t v_x, -e v_y) where that impulse is in Coulomb's cone, otherwise v_y' = -e v_y on
 * the edge of the cone.
 */
void ic_impulse_with_tangential_restitution(double P[2], const ic_impact *p, double e_t);

#endif
