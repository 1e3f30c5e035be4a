/* SPDX-License-Identifier: MIT */
/**
 * A trajectory, interval by interval: from each row the case is followed to the next one, and the
 * difference, the local defect, tells which mode the rows are in and whether the guards ended it
 * where they should. Errors do not add up, so that chaos does no harm.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACKING_H
#define IC_AUDIT_TRAJECTORY_TRACKING_H

#include "audit/trajectory/interval.h"

/** How a trajectory is to be audited; NULL, or zeros: the defaults. */
typedef struct ic_trajectory_options {
    /* of a state's range: the accuracy that rows are held to, noise apart; 0: ic_tolerance_accuracy */
    double accept;

    /* s; typical time; 0: that of the case's motion */
    double time_scale;
} ic_trajectory_options;

/** What they say, or the default. */
double ic_accept(const ic_trajectory_options *options);

/** Track a trajectory. `noise`: known deviations, or NULL. false: no memory, or too many modes. */
bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options);
void ic_tracking_close(ic_tracking *k);

size_t ic_tracking_count(const ic_tracking *k, ic_explanation explanation);

/** Whether noise of any state shows: more than 1e-6 of its range. */
bool ic_noise_shows(const ic_tracking *k);

/** Fewer intervals decide nothing. */
enum { IC_LEAST_INTERVALS = 8 };

/**
 * Whether noise of a state makes so much of its range within an interval that rows which agree with
 * the case say nothing.
 */
bool ic_noise_hides(const ic_tracking *k);

/** Whether rounded times do. */
bool ic_times_hide(const ic_tracking *k);

/** Whether the times of some rows are rounded. */
bool ic_times_are_rounded(const ic_tracking *k);

/** Whether noise in so many states is so large that nobody knows what it makes of events. */
bool ic_noise_is_rough(const ic_tracking *k);

/**
 * Whether the case has any event from its own start to its end, but for one that ends it; true also
 * where it does not get there.
 */
bool ic_case_has_events(const ic_tracking *k);

/**
 * Tolerance of a guard's value at a row: what the noise of the states makes of it, and the least
 * accuracy that is asked for.
 */
double ic_guard_tolerance(const ic_tracking *k, const ic_guard *guard, double t, const double *x);

/** Value of an invariant that does not hold, or of a guard that was passed, and its tolerance. */
typedef struct ic_breach {
    /* NULL: there is none */
    const char *name, *unit;

    double value, tolerance;
} ic_breach;

/** The invariant of a mode that is broken worst at a state, in tolerances like those of guards. */
ic_breach ic_mode_breach(const ic_tracking *k, int mode, double t, const double *x);

/**
 * The same with the guards of the mode in which an interval starts, where nothing is known of the
 * rows before.
 */
ic_breach ic_interval_breach(const ic_tracking *k, const ic_interval *interval);

#endif
