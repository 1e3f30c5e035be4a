/* SPDX-License-Identifier: MIT */
/**
 * Starts within the noise of a row. If a guard may or may not be passed within the noise, the case
 * continues in one of two ways, which no linear tolerance covers: the starts themselves must be
 * tried.
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
