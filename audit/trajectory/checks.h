/* SPDX-License-Identifier: MIT */
/** The checks of a trajectory; each adds its rows to the findings. */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_H
#define IC_AUDIT_TRAJECTORY_CHECKS_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

void ic_audit_local_defect(ic_findings *findings, const ic_tracking *k);
/** What modes keep. */
void ic_audit_invariants(ic_findings *findings, const ic_tracking *k);
void ic_audit_stays(ic_findings *findings, const ic_tracking *k);
void ic_audit_energy(ic_findings *findings, const ic_tracking *k);
void ic_audit_penetration(ic_findings *findings, const ic_tracking *k);
/** Of rigid bodies that stay together: whether they do. */
void ic_audit_rest(ic_findings *findings, const ic_tracking *k);

/** Of a ball: the restitution that its bounces show, and whether slow ones have another. */
void ic_audit_restitution(ic_findings *findings, ic_classification *c, const ic_tracking *k);

/**
 * Whether a file's columns in other units, with another sign, or exchanged, would be explained. The
 * mistake, and in `detail` which.
 */
ic_mistake_id ic_find_misreading(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether rows that nothing explains would be explained if one parameter had another value, or if
 * time began at another moment. The mistake, and in `detail` which. `centre`: number of a tracked
 * row, around which rows are looked at.
 */
ic_mistake_id ic_find_wrong_parameter(const ic_tracking *k, size_t centre, char *detail, size_t size);

/**
 * Whether events that the case does not have would be its own with a constant added to a position.
 * The mistake, and in `detail` which.
 */
ic_mistake_id ic_find_offset(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether rows are those of a right integrator of low order with coarse steps, and in `detail`
 * which.
 */
bool ic_find_coarse_steps(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether a row lies on the straight line between its neighbours in all states: it is interpolated,
 * or nothing accelerates.
 */
bool ic_row_on_line(const ic_tracking *k, size_t row);

/** Some tracked rows around one of them, as a trajectory. false: no memory. */
bool ic_copy_some_rows(ic_trajectory *part, const ic_tracking *k, size_t centre);

/** How far the rows are from the case's own course from their first row on, for a short while. */
void ic_audit_state_error(ic_findings *findings, const ic_tracking *k);

/** Momentum that a contact cannot change. Adds nothing for a case without a balance of its own. */
void ic_audit_momentum(ic_findings *findings, const ic_tracking *k);
/** The file's own contact force at touch and lift, beside the law's. */
void ic_audit_force(ic_findings *findings, const ic_tracking *k);

/** Single rows that are wrong. */
void ic_audit_rows(ic_findings *findings, const ic_tracking *k);
/** Coefficients of restitution in effect, one for each impact of a case that has one. */
void ic_audit_impacts(ic_findings *findings, const ic_tracking *k);
/** A finding's fields from a number and its tolerance. */
ic_finding ic_finding_of(const ic_audit_check *c, const ic_tracking *k, double measured, double tolerance,
                         const char *unit);

#endif
