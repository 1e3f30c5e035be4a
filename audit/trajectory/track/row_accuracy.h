/* SPDX-License-Identifier: MIT */
/** The accuracy of the rows: their noise and rounding, and the tolerances derived from these. */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_ROW_ACCURACY_H
#define IC_AUDIT_TRAJECTORY_TRACK_ROW_ACCURACY_H

#include "audit/trajectory/track/interval.h"

/**
 * Ranges, rounding, noise (known deviations, or NULL: estimated) and times of the rows. false:
 * memory ran out.
 */
bool ic_rows_measure(ic_tracking *k, const double *noise);

/**
 * Set the tolerances of local defects. `sharpens`: rows that follow the case more closely than the
 * accepted accuracy get smaller tolerances. false: memory ran out.
 */
bool ic_rows_set_tolerances(ic_tracking *k, bool sharpens, bool noise_is_known);

/** Greatest rounding error of the printed values of state j, in its unit; 0: they have all their digits. */
double ic_rows_rounding(const ic_trajectory *trajectory, size_t j);

/** Whether any state has visible noise: more than 1e-6 of its range. */
bool ic_noise_shows(const ic_tracking *k);

/** Least number of intervals that decide anything. */
enum { IC_LEAST_INTERVALS = 8 };

/**
 * Whether noise or rounded times are so large that rows which agree with the case prove nothing.
 */
bool ic_noise_hides(const ic_tracking *k);

/** The same for rounded times alone. */
bool ic_times_hide(const ic_tracking *k);

/** Whether the times of some rows are rounded. */
bool ic_times_are_rounded(const ic_tracking *k);

/** Whether so many states have so much noise that its effect on events cannot be predicted. */
bool ic_noise_is_rough(const ic_tracking *k);

#endif
