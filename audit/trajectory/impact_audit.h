/* SPDX-License-Identifier: MIT */
/**
 * A planar impact by the velocities before and after it: which hypothesis it follows, and what no
 * hypothesis may do.
 */
#ifndef IC_AUDIT_TRAJECTORY_IMPACT_AUDIT_H
#define IC_AUDIT_TRAJECTORY_IMPACT_AUDIT_H

#include "audit/common/finding.h"
#include "audit/trajectory/impact_rows.h"

/**
 * Audit against a problem of a case with an impact view; the impact begins as the rows do.
 * `accept`: the accuracy that rows are held to apart from their noise, over the speed. false:
 * memory ran out.
 */
bool ic_audit_impact(ic_findings *findings, ic_classification *classification, const ic_impact_rows *rows,
                     const ic_problem *problem, double accept);

#endif
