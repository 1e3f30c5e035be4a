/* SPDX-License-Identifier: MIT */
/**
 * Audit of a planar impact by the velocities before and after it: the hypothesis that it follows,
 * and violations of rules that all hypotheses obey.
 */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_IMPACT_AUDIT_H
#define IC_AUDIT_TRAJECTORY_CHECKS_IMPACT_AUDIT_H

#include "audit/common/finding.h"
#include "audit/trajectory/input/impact_rows.h"

/**
 * Compare with a problem of a case with an impact view; the impact begins as the rows do. `accept`:
 * accuracy to which rows are held, relative to the speed, apart from noise. false: memory ran out.
 */
bool ic_audit_impact(ic_findings *findings, ic_classification *classification, const ic_impact_rows *rows,
                     const ic_problem *problem, double accept);

#endif
