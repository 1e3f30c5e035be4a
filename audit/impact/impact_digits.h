/* SPDX-License-Identifier: MIT */
/** Answers that are right but coarse: few digits, a grid of steps, a root that is not found. */
#ifndef IC_AUDIT_IMPACT_IMPACT_DIGITS_H
#define IC_AUDIT_IMPACT_IMPACT_DIGITS_H

#include "audit/impact/impact_samples.h"

/** The decimal digits that suffice for all numbers of all answers; 0: more than nine. */
int ic_impact_digits(const ic_impact_samples *samples);

/** The part of the impulses, or of the velocities, that are numbers of single precision; zeros do not count. */
double ic_impact_single(const ic_impact_samples *samples);

/** The smallest n for which P_y is a multiple of |v_y|/(n w_yy) in nearly all trials; 0: there is none. */
int ic_impact_steps(const ic_impact_samples *samples);

#endif
