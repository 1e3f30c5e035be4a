/* SPDX-License-Identifier: MIT */
/** Where the defect of unexplained rows lies: by how much the rates of their velocities differ from the case's. */
#ifndef IC_AUDIT_TRAJECTORY_MISSING_FORCE_H
#define IC_AUDIT_TRAJECTORY_MISSING_FORCE_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * Append to a finding which velocities change otherwise than in the case, if in nearly all intervals the difference is
 * a constant or proportional to one state. false: it is neither, and nothing is appended.
 */
bool ic_describe_missing_force(ic_finding *finding, const ic_tracking *k);

#endif
