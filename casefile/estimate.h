/* SPDX-License-Identifier: MIT */
/** Typical magnitudes of states for which a case file states none. */
#ifndef IC_CASEFILE_ESTIMATE_H
#define IC_CASEFILE_ESTIMATE_H

#include "casefile/arena.h"
#include "impactcheck/impactcheck.h"

/**
 * Fill the typical time, if it is NULL, by the period of the fastest oscillation in a rough run of the
 * first preset, at most a hundredth of the run; and every scale that is "0" by the power of ten next to the state's largest
 * magnitude, or of the same unit's states where that is 0. `states` are those of the
 * case. false: memory ran out.
 */
bool ic_estimate_scales(ic_case *system, ic_state *states, ic_arena *arena);

#endif
