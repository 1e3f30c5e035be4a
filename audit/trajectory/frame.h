/* SPDX-License-Identifier: MIT */
/**
 * Carried states (ic_contact_view) that a trajectory lacks. What carries them drives their equation
 * of motion, as the roller drives its frame:
 *
 *     m3 x3'' = -m3 g - c23 (x3' - x2') - k23 (x3 - x2 - d),
 *
 * so that x3 and v3 follow from the rows, up to how they start. That is two numbers, which the
 * carrier's own acceleration shows wherever no condition is in doubt.
 */
#ifndef IC_AUDIT_TRAJECTORY_FRAME_H
#define IC_AUDIT_TRAJECTORY_FRAME_H

#include "audit/trajectory/trajectory_rows.h"
#include "core/expression.h"

/** Whether state i of a problem can be had so. */
bool ic_frame_can_reconstruct(const ic_problem *problem, size_t i);

/** Fill the carried states that are missing. Does nothing where none is. */
bool ic_frame_reconstruct(ic_trajectory *trajectory, const ic_problem *problem, ic_error *error);

#endif
