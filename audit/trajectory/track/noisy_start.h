/* SPDX-License-Identifier: MIT */
/**
 * Starts within the noise of a row. If the noise leaves open whether a guard was passed, the case
 * continues in one of two ways. No linear tolerance covers this, so that the starts themselves must
 * be tried.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_NOISY_START_H
#define IC_AUDIT_TRAJECTORY_TRACK_NOISY_START_H

#include "audit/trajectory/track/interval.h"

/**
 * Whether the case with its guards, started in a mode within the noise of an interval's first row,
 * reaches its second row within the tolerances. `end` receives the end of this run.
 */
bool ic_noisy_start(ic_prediction *end, const ic_tracking *k, const ic_interval *interval, int mode);

/**
 * Whether noise may explain an interval: whether its second row lies within the box of ends that
 * the case reaches through its guards from starts within the noise of the first row. A wide box
 * after impacts proves little: such an interval is in doubt, not explained.
 */
bool ic_noise_may_explain(const ic_tracking *k, const ic_interval *interval, int mode);

#endif
