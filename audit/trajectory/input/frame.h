/* SPDX-License-Identifier: MIT */
/**
 * Reconstructs carried states (ic_contact_view) that a trajectory does not contain. The carrier
 * drives their equation of motion, as the roller drives its frame:
 *
 *     m3 x3'' = -m3 g - c23 (x3' - x2') - k23 (x3 - x2 - d).
 *
 * The rows thus determine x3 and v3 up to two initial values. The acceleration of the carrier shows
 * these values wherever all conditions agree on the mode.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_FRAME_H
#define IC_AUDIT_TRAJECTORY_INPUT_FRAME_H

#include "audit/trajectory/input/trajectory_rows.h"
#include "core/expression.h"

/** Whether state i of a problem can be reconstructed in this way. */
bool ic_frame_can_reconstruct(const ic_problem *problem, size_t i);

/** Fill the carried states that are missing. Does nothing if none is missing. */
bool ic_frame_reconstruct(ic_trajectory *trajectory, const ic_problem *problem, ic_error *error);

#endif
