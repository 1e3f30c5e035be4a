/* SPDX-License-Identifier: MIT */
/** The checks of a trajectory; each adds its findings. */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_H
#define IC_AUDIT_TRAJECTORY_CHECKS_H

#include "audit/common/finding.h"
#include "audit/trajectory/correction.h"
#include "audit/trajectory/tracking.h"

struct ic_parameter_fits;

/** Rows that the case does not explain. A cause that the fitted parameters exclude is not named. */
void ic_audit_local_defect(ic_findings *findings, const ic_tracking *k, const struct ic_parameter_fits *fits,
                           ic_correction *correction);
/** Invariants of the modes. */
void ic_audit_invariants(ic_findings *findings, const ic_tracking *k);
void ic_audit_dwells(ic_findings *findings, const ic_tracking *k);
void ic_audit_energy(ic_findings *findings, const ic_tracking *k);
void ic_audit_penetration(ic_findings *findings, const ic_tracking *k);
/** Whether rigid bodies in contact stay together. */
void ic_audit_rest(ic_findings *findings, const ic_tracking *k);

/** The restitution shown by bounces of a body, and whether slow bounces have another. */
void ic_audit_restitution(ic_findings *findings, ic_classification *c, const ic_tracking *k);

/**
 * Find out whether other units, another sign or an exchange of columns would explain the rows.
 * Returns the mistake, with details in `detail`.
 */
ic_mistake_id ic_find_misreading(const ic_tracking *k, char *detail, size_t size, ic_correction *correction);

/**
 * The factor of the times with which rows that are typical times apart follow the case; 1: none, or they are closer.
 * Such rows take long to be followed as they are.
 */
double ic_find_time_unit(const ic_trajectory *tr, const ic_problem *problem);

/** Whether other units of the columns, in which the rows start as the case does, explain them. */
bool ic_find_units(const ic_tracking *k, char *detail, size_t size, ic_correction *correction);

/**
 * Whether another value of one parameter, or a shift of time, would explain unexplained rows.
 * Returns the mistake, with details in `detail`. `fits`: parameters of all rows; `centre`: index of
 * the tracked row around which rows are tried.
 */
ic_mistake_id ic_find_wrong_parameter(const ic_tracking *k, const struct ic_parameter_fits *fits, size_t centre,
                                      char *detail, size_t size, ic_correction *correction);

/**
 * Find out whether events that the case does not have would become events of the case if a constant
 * were added to a position. Returns the mistake, with details in `detail`.
 */
ic_mistake_id ic_find_offset(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether the rows are those of a correct integrator of low order with coarse steps; details in
 * `detail`.
 */
bool ic_find_coarse_steps(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether a row lies on the straight line between its neighbours in all states: it is interpolated,
 * or nothing accelerates.
 */
bool ic_row_on_line(const ic_tracking *k, size_t row);

/** Copy some tracked rows around one of them. false: memory ran out. */
bool ic_copy_some_rows(ic_trajectory *part, const ic_tracking *k, size_t centre);

/** The distance of the rows from the case's own run from the first row on, for a short while. */
void ic_audit_state_error(ic_findings *findings, const ic_tracking *k);

/** Momentum that a contact cannot change; adds nothing for a case without such a momentum. */
void ic_audit_momentum(ic_findings *findings, const ic_tracking *k);
/** The contact force given in the file at touch and lift-off, compared with the law's. */
void ic_audit_force(ic_findings *findings, const ic_tracking *k);

/** Single rows that are wrong. */
void ic_audit_rows(ic_findings *findings, const ic_tracking *k);
/** The coefficient of restitution in effect at each impact of a case that has one. */
void ic_audit_impacts(ic_findings *findings, const ic_tracking *k);
/**
 * Leave a finding about e open if the tolerance of e is so large that other values pass too. The
 * detail states whether noise or the accepted accuracy must decrease.
 */
void ic_leave_open_what_hides_e(ic_finding *finding, const ic_tracking *k, double tolerance);
/** Whether a mistake is one of writing or reading the rows, so that they say nothing about the model. */
bool ic_is_reading(ic_mistake_id mistake);
/** Whether any finding has such a cause. */
bool ic_misread(const ic_findings *findings);
/** A finding that passes if `measured` is within `tolerance`. */
ic_finding ic_finding_of(const ic_audit_check *c, const ic_tracking *k, double measured, double tolerance,
                         const char *unit);

#endif
