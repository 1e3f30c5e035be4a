/* SPDX-License-Identifier: MIT */
/** The typical time of a case's motion, from the motion itself. */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_MOTION_TIME_H
#define IC_AUDIT_TRAJECTORY_TRACK_MOTION_TIME_H

#include "audit/trajectory/input/trajectory.h"
#include "audit/trajectory/track/predict.h"

/**
 * Typical time, s, in which the velocity of the case in its state space changes by its own
 * magnitude, in the modes that the case's own run visits or by its events. Unlike the time scale that a case states,
 * it does not depend on parameters that do not affect the motion. If nothing moves in that run, the
 * rows of the trajectory are used; if nothing moves in these either, the time scale of the case.
 */
double ic_motion_time(const ic_predictor *predictor, const ic_problem *problem, const ic_trajectory *tr);

#endif
