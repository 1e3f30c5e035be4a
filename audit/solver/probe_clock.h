/* SPDX-License-Identifier: MIT */
/**
 * A driven mass that carries its own clock, by which it is seen for which times a solver asks for
 * the flow:
 *
 *     x'' = cos(omega t),   s' = 1,   s(0) = 0.
 *
 * However a method makes its stages, s there is the time to which they belong.
 */
#ifndef IC_AUDIT_PROBE_CLOCK_H
#define IC_AUDIT_PROBE_CLOCK_H

#include "impactcheck/impactcheck.h"

/**
 * Whether the solver asks for the flow at other times than those of its states: at more than half
 * of all stages that are beyond the step's start. Predictions of implicit methods, which are
 * corrected, are fewer.
 */
bool ic_probe_clock_is_stale(const ic_solver *solver);

#endif
