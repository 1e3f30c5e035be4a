/* SPDX-License-Identifier: MIT */
/**
 * Rows are known to their noise, and to rounding. Where a guard is passed within it, or not, the
 * case goes one way or the other, and no tolerance that is linear in the noise tells so: the starts
 * themselves are to be tried.
 */
#ifndef IC_AUDIT_TRAJECTORY_NOISY_START_H
#define IC_AUDIT_TRAJECTORY_NOISY_START_H

#include "audit/trajectory/interval.h"

/**
 * Whether the case with its guards, from a mode and some start within the noise of an interval's
 * first row, leads to its second row within the tolerances. `end`: where it leads.
 */
bool ic_noisy_start(ic_prediction *end, const ic_tracking *k, const ic_interval *interval, int mode);

/**
 * Whether noise may explain an interval at all: whether its second row lies within the box of where
 * the case leads to from starts within the noise of the first, through its guards. A wide box after
 * impacts says little: such an interval is in doubt, not explained.
 */
bool ic_noise_may_explain(const ic_tracking *k, const ic_interval *interval, int mode);

#endif
