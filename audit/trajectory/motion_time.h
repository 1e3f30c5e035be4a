/* SPDX-License-Identifier: MIT */
/** The typical time of a case's motion, from the motion itself. */
#ifndef IC_AUDIT_TRAJECTORY_MOTION_TIME_H
#define IC_AUDIT_TRAJECTORY_MOTION_TIME_H

#include "audit/trajectory/predict.h"
#include "audit/trajectory/trajectory.h"

/**
 * Typical time, s, in which the velocity of a case's state in its state space changes as much as it
 * is, in the modes that the case's own run visits. Parameters without effect on the motion have
 * none on it, which cannot be said of the time scale that a case states. Where that run does not
 * move, the rows of the trajectory take its place; where these say nothing either, it is the time
 * that the case states.
 */
double ic_motion_time(const ic_predictor *predictor, const ic_problem *problem, const ic_trajectory *tr);

#endif
