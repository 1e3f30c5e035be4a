/* SPDX-License-Identifier: MIT */
/**
 * Tracking of a trajectory: from each row the case is followed to the next row. The difference, the
 * local defect, shows which mode the rows are in and whether the guards ended it where they should.
 * Errors do not accumulate, so that chaos does no harm.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACKING_H
#define IC_AUDIT_TRAJECTORY_TRACKING_H

#include "audit/trajectory/mode_trial.h"
#include "audit/trajectory/row_accuracy.h"

/** Options of an audit; NULL, or zeros: the defaults. */
typedef struct ic_trajectory_options {
    /*
     * accuracy to which rows are held, relative to the states' ranges, apart from noise; 0:
     * ic_tolerance_accuracy
     */
    double accept;

    /* s; typical time; 0: estimated from the case's motion */
    double time_scale;
} ic_trajectory_options;

/** The accuracy of the options, or the default. */
double ic_accept(const ic_trajectory_options *options);

/** Track a trajectory. `noise`: known deviations, or NULL. false: no memory, or too many modes. */
bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options);
void ic_tracking_close(ic_tracking *k);

size_t ic_tracking_count(const ic_tracking *k, ic_explanation explanation);

/**
 * Whether the case, run from its own start, has an event other than its terminal one; true also if
 * the run fails.
 */
bool ic_case_has_events(const ic_tracking *k);

#endif
