/* SPDX-License-Identifier: MIT */
/** The tolerances of `audit`, each defined by its line of audit/common/tolerances.def. */
#pragma once

#include "validation/tolerance.h"

#define IC_TOLERANCE(name_, ...) extern const ic_tolerance ic_tolerance_##name_;
#include "audit/common/tolerances.def"

extern const ic_tolerance *const ic_audit_tolerances[];
extern const size_t ic_audit_tolerance_count;

/**
 * "0.001 of the force's range + 5 deviations of noise": the origin of a tolerance that is a
 * multiple of ic_tolerance_accuracy, plus noise; `accept` is the accuracy used.
 */
ic_tolerance_text ic_accuracy_origin(const ic_tolerance *tolerance, double accept);
