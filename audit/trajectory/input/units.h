/* SPDX-License-Identifier: MIT */
/** Units in which a trajectory may be given, those of UDUNITS-2, and their factors to SI. */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_UNITS_H
#define IC_AUDIT_TRAJECTORY_INPUT_UNITS_H

#include "core/expression.h"

/**
 * The factor from unit `name` to the unit `si` of a state: 1e-3 for mm to m. false: `error` gives
 * the reason.
 */
bool ic_unit_to_si(double *factor, const char *name, const char *si, ic_error *error);

#endif
