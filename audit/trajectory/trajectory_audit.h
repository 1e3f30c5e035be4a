/* SPDX-License-Identifier: MIT */
/** The complete audit of a trajectory. */
#pragma once

#include "audit/trajectory/checks/checks.h"

enum { IC_MOST_CLASSIFICATIONS = 2 };

typedef struct ic_trajectory_audit {
    /* only what the rows themselves show is sought */
    bool partial;

    ic_tracking tracking;

    /* The first rows, which alone are tracked if rows are too far apart; it owns nothing. */
    ic_trajectory few;
    ic_findings findings;
    ic_classification classifications[IC_MOST_CLASSIFICATIONS];
    size_t n_classifications;
    ic_parameter_fits parameters;

    /* How the rows must be read, if that is their mistake. */
    ic_correction correction;

    /* The case with the parameters that the rows follow; its `par` is NULL if it is the requested one. */
    ic_followed followed;
} ic_trajectory_audit;

/**
 * The same for an impact of which only velocities are known. `shell` is a trajectory without states
 * that has the number of rows and the path of the file.
 */
bool ic_audit_impact_alone(ic_trajectory_audit *audit, const ic_trajectory *rows, const ic_trajectory *shell,
                           const ic_problem *problem, const ic_trajectory_options *options);

/**
 * Audit a trajectory by comparison with a problem, without looking for further mistakes
 * (audit/trajectory/trajectory_audit.h). false: memory ran out. Both must outlive the audit; close it in either
 * case.
 */
bool ic_audit_trajectory_once(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                              const ic_problem *problem, const ic_trajectory_options *options);
void ic_trajectory_audit_close(ic_trajectory_audit *audit);

/**
 * look_again.c: Several mistakes in one file: where one is known, the rows are audited again without it, so
 * that a second one is named beside it, and a parameter that does not explain the rows is named no longer.
 */

/**
 * Audit a trajectory by comparison with a problem. false: memory ran out. Both must outlive the
 * audit; close it in either case.
 */
bool ic_audit_trajectory(ic_trajectory_audit *audit, const ic_trajectory *trajectory, const ic_problem *problem,
                         const ic_trajectory_options *options);
