/* SPDX-License-Identifier: MIT */
/**
 * Trials of modes: whether the case leads from the first row of an interval to its last row if it
 * starts in a given mode.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_MODE_TRIAL_H
#define IC_AUDIT_TRAJECTORY_TRACK_MODE_TRIAL_H

#include "audit/trajectory/track/interval.h"

/** A violated invariant, or a guard that was passed: its value and tolerance. */
typedef struct ic_breach {
    /* NULL: none */
    const char *name, *unit;

    double value, tolerance;
} ic_breach;

/**
 * Tolerance of a guard's value at a row, from the noise and the accepted accuracy of the states.
 */
double ic_guard_tolerance(const ic_tracking *k, const ic_guard *guard, double t, const double *x);

/** The invariant of a mode that is violated most at a state, relative to its tolerance. */
ic_breach ic_mode_breach(const ic_tracking *k, int mode, double t, const double *x);

/**
 * The worst breach at an interval's first row: of invariants, and, if the mode before the interval
 * is unknown or only named, of the guards of the mode in which it starts.
 */
ic_breach ic_interval_breach(const ic_tracking *k, const ic_interval *interval);

/** Whether the invariants of a mode hold at an interval's first row. */
bool ic_mode_holds(const ic_tracking *k, const ic_interval *interval, int mode);

typedef struct ic_mode_trial {
    ic_prediction end;
    int mode;

    /* True if the guards of the mode were used. */
    bool guards;

    /* Greatest defect over the states, in tolerances, and its state. */
    double defect;
    size_t worst;

    /* As in ic_interval. */
    double shift_from, shift_to;
} ic_mode_trial;

/** Try one mode. The interval records whether the prediction took too many steps. */
void ic_mode_trial_run(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval, int mode, bool guards);

/**
 * Improve `best` by trials of all reachable modes until one explains the interval. The order: with
 * guards, modes whose guards are not yet passed before the others; then without guards; at last
 * modes whose invariants do not hold, which count only if they explain the interval.
 */
void ic_mode_trial_best(ic_mode_trial *best, const ic_tracking *k, ic_interval *interval);

#endif
