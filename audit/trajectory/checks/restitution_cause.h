/* SPDX-License-Identifier: MIT */
/** The mistake that makes a coefficient of restitution another one than requested. */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_RESTITUTION_CAUSE_H
#define IC_AUDIT_TRAJECTORY_CHECKS_RESTITUTION_CAUSE_H

#include "audit/common/finding.h"

/** The mistake of a coefficient e in effect, known to `tolerance`, where `given` was requested. */
ic_mistake_id ic_restitution_mistake(double e, double given, double tolerance);

/** What e is if its square, or its root, was requested: "the root of", "the square of"; else NULL. */
const char *ic_restitution_power(double e, double given, double tolerance);

#endif
