/* SPDX-License-Identifier: MIT */
/**
 * Published impact hypotheses that do not follow friction through the impact, as algebraic laws of
 * the whole impulse. Each function gives P in N s; false: the hypothesis has no answer for this
 * impact, or leaves open which.
 *
 *     at once       v_y' = -e v_y and Coulomb's law for P and v_x' (Moreau 1988)
 *     in two        the same with e = 0, then e times its P_y with Coulomb's law for it (Glocker & Pfeiffer 1995)
 *     Brach         v_y' = -e v_y; P_x/P_y is that without slip at the end, bounded by mu (Brach 1989)
 *     Whittaker     slip as at first; if that reverses it, none at the end; if mu is too small, the other slip
 *     Chatterjee    P between that of a frictionless impact and that which stops all motion, in the cone
 *                   (Chatterjee & Ruina 1998, without tangential restitution)
 *     Smith         friction along the mean of the velocities before and after, each weighted with its size
 *                   (Smith 1991)
 */
#ifndef IC_AUDIT_IMPACT_PUBLISHED_RULES_H
#define IC_AUDIT_IMPACT_PUBLISHED_RULES_H

#include "impactcheck/impactcheck.h"

bool ic_rule_at_once(double P[2], const ic_impact *p);
bool ic_rule_in_two(double P[2], const ic_impact *p);
bool ic_rule_brach(double P[2], const ic_impact *p);
bool ic_rule_whittaker(double P[2], const ic_impact *p);
bool ic_rule_chatterjee(double P[2], const ic_impact *p);
bool ic_rule_smith(double P[2], const ic_impact *p);

/** Not published: at once with e = 0, and its impulse times 1 + e. */
bool ic_rule_poisson_at_once(double P[2], const ic_impact *p);

/** Not published: |P_x| is bounded by mu times the P_y of a frictionless impact. */
bool ic_rule_friction_bound(double P[2], const ic_impact *p);

/** Not published: |P_x| is bounded by mu times P_y, N s. */
bool ic_rule_bound(double P[2], const ic_impact *p, double P_y);

/** In two, with a mistake: expansion starts from the slip before the impact. */
bool ic_rule_in_two_old_slip(double P[2], const ic_impact *p);

/** At once by projected Gauss-Seidel, which ends after so many sweeps; `x_first`: P_x before P_y in each. */
void ic_rule_sweeps(double P[2], const ic_impact *p, int sweeps, bool x_first);

/** The sweep after which these are within `near`, N s, of P; 0: none of the first 200. */
int ic_rule_sweeps_to(const double P[2], const ic_impact *p, bool x_first, double near);

#endif
