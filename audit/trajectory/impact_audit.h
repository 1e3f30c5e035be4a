/* SPDX-License-Identifier: MIT */
/**
 * Audit of a planar impact by the velocities before and after it: which hypothesis it follows, and
 * whether it does what no hypothesis may do.
 */
#ifndef IC_AUDIT_TRAJECTORY_IMPACT_AUDIT_H
#define IC_AUDIT_TRAJECTORY_IMPACT_AUDIT_H

#include "audit/common/finding.h"
#include "audit/trajectory/impact_rows.h"

/**
 * Audit against a problem of a case with an impact view; the impact begins as the rows do.
 * `accept`: accuracy to which rows are held, relative to the speed, apart from noise. false: memory
 * ran out.
 */
bool ic_audit_impact(ic_findings *findings, ic_classification *classification, const ic_impact_rows *rows,
                     const ic_problem *problem, double accept);

#endif
