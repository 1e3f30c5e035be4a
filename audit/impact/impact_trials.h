/* SPDX-License-Identifier: MIT */
/**
 * The impacts on which a map is tried, and properties of its results that hold for every hypothesis
 * of restitution.
 */
#ifndef IC_AUDIT_IMPACT_TRIALS_H
#define IC_AUDIT_IMPACT_TRIALS_H

#include "impactcheck/impactcheck.h"

enum { IC_IMPACT_USUAL = 600, IC_IMPACT_WIDE = 400, IC_IMPACT_TRIALS = IC_IMPACT_USUAL + IC_IMPACT_WIDE };

/**
 * Trial i: every sixth central, every seventh without slip, now and then mu = 0, e = 0 or e = 1;
 * speeds of 3 to 30 m/s. From IC_IMPACT_USUAL on, one quantity of each trial is far out: mu from 1e-4
 * to 30, |w_xy| up to 0.9999 of its limit, w_xx/w_yy or a mass from 1e-3 or 1e-6 to its inverse,
 * speeds from 1e-8 to 1e3 m/s.
 */
ic_impact ic_impact_trial(size_t i);

/** The last phase of friction, up to a normal impulse. */
typedef enum ic_friction_end { IC_SLIDES_ON, IC_STICKS, IC_SLIDES_BACK } ic_friction_end;

/**
 * N s; Coulomb's P_x at the normal impulse P_y by Routh's construction, which needs no hypothesis,
 * and the last phase of friction.
 */
double ic_coulomb_impulse(const ic_impact *impact, double P_y, ic_friction_end *end);

/** Energy that the normal motion has lost up to the normal impulse P_y, J: -integral v_y dP_y. */
double ic_normal_work(const ic_impact *impact, double P_y);

/** J; kinetic energy of the relative motion, v W^-1 v/2 */
double ic_impact_energy(const ic_impact *impact, const double v[2]);

/** N s; W^-1 (v' - v), the impulse that the velocities imply */
void ic_impulse_of_velocities(double P[2], const ic_impact *impact, const double v_after[2]);

#endif
