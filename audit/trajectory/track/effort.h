/* SPDX-License-Identifier: MIT */
/** Bound of the processor time for seeking causes: a failing file ends soon, and says what was not sought. */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_EFFORT_H
#define IC_AUDIT_TRAJECTORY_TRACK_EFFORT_H

#include <stdbool.h>

/** Processor time after which nothing further is tried, s. */
#define IC_EFFORT_MOST 5.0

/** Processor time of this program until now, s. */
double ic_effort_now(void);

/** Whether an audit that began at that processor time has used up its part. */
bool ic_effort_is_spent(double began);

#endif
