/* SPDX-License-Identifier: MIT */
/**
 * The roller's frame, where a trajectory has only the roller itself: its equation of motion is driven by x2 and v2 alone,
 *
 *     m3 x3'' = -m3 g - c23 (x3' - x2') - k23 (x3 - x2 - d),
 *
 * so that x3 and v3 follow from the rows, up to how they start. That is two numbers, which the roller's own acceleration shows
 * wherever no condition is in doubt.
 */
#ifndef IC_AUDIT_TRAJECTORY_FRAME_H
#define IC_AUDIT_TRAJECTORY_FRAME_H

#include "audit/trajectory/trajectory.h"

/** Whether state i of a problem can be had so. */
bool ic_frame_can_reconstruct(const ic_problem *problem, size_t i);

/** Fill what is missing of x3 and v3. Does nothing where nothing is. */
bool ic_frame_reconstruct(ic_trajectory *trajectory, const ic_problem *problem, ic_error *error);

#endif
