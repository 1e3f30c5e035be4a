/* SPDX-License-Identifier: MIT */
/** The checks of a trajectory; each adds its findings. */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_CHECKS_H
#define IC_AUDIT_TRAJECTORY_CHECKS_CHECKS_H

#include "audit/common/finding.h"
#include "audit/trajectory/input/correction.h"
#include "audit/trajectory/track/tracking.h"

struct ic_parameter_fits;

/** Share of the rows that a change of the case, or of how rows are read, must explain: the others may be near events. */
#define IC_ROWS_EXPLAINED 0.8

/** What is known of checks of rows, as flags. */
typedef enum ic_row_check_role {
    /* compares impacts, which a time-stepping scheme shifts to the ends of its steps */
    IC_OF_TIMES_OF_IMPACTS = 1 << 0,

    /* may fail by coarse steps alone, each of which passes */
    IC_OF_STEPS = 1 << 1,

    /* of positions alone, which do not depend on the steps */
    IC_OF_POSITIONS = 1 << 2,

    /* may fail by the noise of many states */
    IC_OF_NOISE = 1 << 3
} ic_row_check_role;

#define IC_ROW_CHECK(id_, ...) extern const ic_audit_check ic_row_check_##id_;
#include "audit/trajectory/checks/checks.def"
#undef IC_ROW_CHECK

#define IC_ROW_AUDIT(function_) void function_(ic_findings *findings, const ic_tracking *k);
#define IC_ROW_AUDIT_WITH(function_)
#include "audit/trajectory/checks/audits.def"
#undef IC_ROW_AUDIT
#undef IC_ROW_AUDIT_WITH

#define IC_ROW_CAUSE(function_) void function_(ic_findings *findings, const ic_tracking *k);
#include "audit/trajectory/causes/causes.def"
#undef IC_ROW_CAUSE

/** Rows that the case does not explain. A cause that the fitted parameters exclude is not named. */
void ic_audit_local_defect(ic_findings *findings, const ic_tracking *k, const struct ic_parameter_fits *fits,
                           ic_correction *correction);

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

/* ---- what explains rows, and which of several they follow */

/**
 * The hypothesis that explains nearly all intervals, and better than any parameter: a clock that is
 * fast or slow, a column that is scaled, of another origin, or that belongs to another row or time,
 * a drag. IC_NO_MISTAKE: none does. `detail` receives its description, and *left the part of the
 * case's defect that it leaves.
 */
ic_mistake_id ic_find_reading(const ic_tracking *k, char *detail, size_t size, double *left,
                              ic_correction *correction);

/**
 * The scheme that leads to the rows at all their impacts, with its step in `detail`. Returns the
 * mistake that it is; IC_NO_MISTAKE: no scheme, or the case has no such body.
 */
ic_mistake_id ic_find_time_stepping(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether one value of one parameter explains nearly all events of one guard, which the case does not explain, while
 * it explains those of the other guards. `detail` receives the guard, the parameter and its value.
 */
bool ic_find_guard_parameter(const ic_tracking *k, char *detail, size_t size);

/**
 * Append to a finding which velocities change otherwise than in the case, if in nearly all intervals the difference is
 * a constant or proportional to one state. false: it is neither, and nothing is appended.
 */
bool ic_describe_missing_force(ic_finding *finding, const ic_tracking *k);

/**
 * Fill the classification for a case with such variants; does nothing for other cases, and for
 * contact laws. false: memory ran out.
 */
bool ic_classify_condition(ic_classification *c, const ic_tracking *k);

/** Whether a candidate is the requested variant; "C = C*" is both. */
bool ic_condition_is_asked_for(const char *candidate, const ic_problem *problem);

/**
 * For a problem with a free impact (`ball`), fit each registered law, with the case's parameters,
 * to the rows by the time and the speed of touch. Adds the finding `law`: whether another law than
 * the requested one fits. false: memory ran out.
 */
bool ic_classify_law(ic_findings *findings, ic_classification *classification, const ic_tracking *tracking);

/**
 * Fill the classification and add its finding, if the case is on a law and rows in contact fail. false: memory ran out.
 */
bool ic_classify_element(ic_findings *findings, ic_classification *c, const ic_tracking *k);

#endif
