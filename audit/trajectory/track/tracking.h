/* SPDX-License-Identifier: MIT */
/**
 * Tracking of a trajectory: the case is followed from each row to the next. The difference at the
 * next row, the local defect, shows in which mode the rows are and whether the guards ended it
 * where they should. Errors do not accumulate, so that chaotic motion is no problem.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_TRACKING_H
#define IC_AUDIT_TRAJECTORY_TRACK_TRACKING_H

#include "audit/trajectory/track/mode_trial.h"
#include "audit/trajectory/track/row_accuracy.h"

/** Options of an audit; NULL, or zeros: the defaults. */
typedef struct ic_trajectory_options {
    /*
     * Accuracy required of rows, relative to the states' ranges, without noise; 0:
     * ic_tolerance_accuracy.
     */
    double accept;

    /* Typical time, s; 0: estimated from the motion of the case. */
    double time_scale;

    /* The rows may end within an impact. */
    bool partial;

    /* How many mistakes have been corrected before. */
    int corrected;

    /* Processor time at which the audit began, s; 0: now. */
    double began;
} ic_trajectory_options;

/** The accuracy of the options, or the default. */
double ic_accept(const ic_trajectory_options *options);

/**
 * Track a trajectory. `noise`: known deviations, or NULL. false: memory ran out, or there are too
 * many modes.
 */
bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options);
void ic_tracking_close(ic_tracking *k);

size_t ic_tracking_count(const ic_tracking *k, ic_explanation explanation);

/**
 * Share of the intervals of some rows that a problem leaves unexplained, with the accuracy of a tracking; 1: the rows
 * cannot be followed.
 */
double ic_share_wrong(const ic_trajectory *rows, const ic_problem *problem, const ic_tracking *k,
                      const double *noise);

/**
 * Whether the case, run from its own start, has an event other than its terminal one; true also if
 * the run fails.
 */
bool ic_case_has_events(const ic_tracking *k);

#endif
