/* SPDX-License-Identifier: MIT */
/**
 * Several mistakes in one file: where one is known, the rows are audited again without it, so that a second one is
 * named beside it, and a parameter that does not explain the rows is named no longer.
 */
#ifndef IC_AUDIT_TRAJECTORY_LOOK_AGAIN_H
#define IC_AUDIT_TRAJECTORY_LOOK_AGAIN_H

#include "audit/trajectory/trajectory_audit.h"

/**
 * Audit a trajectory by comparison with a problem. false: memory ran out. Both must outlive the
 * audit; close it in either case.
 */
bool ic_audit_trajectory(ic_trajectory_audit *audit, const ic_trajectory *trajectory, const ic_problem *problem,
                         const ic_trajectory_options *options);

#endif
