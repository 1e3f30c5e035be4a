/* SPDX-License-Identifier: MIT */
/** Events that follow the case except those of one guard, which have another value of a parameter, such as one stop of two. */
#ifndef IC_AUDIT_TRAJECTORY_GUARD_PARAMETER_H
#define IC_AUDIT_TRAJECTORY_GUARD_PARAMETER_H

#include "audit/trajectory/tracking.h"

/**
 * Whether one value of one parameter explains nearly all events of one guard, which the case does not explain, while
 * it explains those of the other guards. `detail` receives the guard, the parameter and its value.
 */
bool ic_find_guard_parameter(const ic_tracking *k, char *detail, size_t size);

#endif
