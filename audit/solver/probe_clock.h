/* SPDX-License-Identifier: MIT */
/**
 * A driven mass with its own clock, which shows the times at which a solver evaluates the flow:
 *
 *     x'' = cos(omega t),   s' = 1,   s(0) = 0.
 *
 * In every stage of any method, s is the time to which the stage belongs.
 */
#ifndef IC_AUDIT_PROBE_CLOCK_H
#define IC_AUDIT_PROBE_CLOCK_H

#include "impactcheck/impactcheck.h"

/**
 * Whether the solver evaluates the flow at other times than those of its states, at more than half
 * of all stages beyond the start of a step. Predictions of implicit methods, which are corrected,
 * are fewer.
 */
bool ic_probe_clock_is_stale(const ic_solver *solver);

#endif
