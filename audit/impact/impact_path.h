/* SPDX-License-Identifier: MIT */
/** Whether the path that a map reports is that of an impact. */
#ifndef IC_AUDIT_IMPACT_IMPACT_PATH_H
#define IC_AUDIT_IMPACT_IMPACT_PATH_H

#include "impactcheck/impactcheck.h"

/**
 * Greatest deviation of the corners from the equations of impact and from the result, over the size
 * of their terms; INFINITY: they are not those of a path. `with_modes`: modes must agree with the slip.
 */
double ic_impact_path_off(const ic_impact *p, const ic_impact_result *r, bool with_modes);

#endif
