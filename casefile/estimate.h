/* SPDX-License-Identifier: MIT */
/** Typical magnitudes of states for which a case file states none. */
#ifndef IC_CASEFILE_ESTIMATE_H
#define IC_CASEFILE_ESTIMATE_H

#include "casefile/arena.h"
#include "impactcheck/impactcheck.h"

/**
 * Estimate what a file leaves out by a rough run of the first preset. A typical time that is NULL
 * becomes the period of the fastest oscillation, at most a hundredth of the run. A scale that is "0"
 * becomes the power of ten next to the state's largest magnitude, or to 1e-4 of the largest among the
 * states with the same unit where that is more. `states` are those of the case. false: memory ran out.
 */
bool ic_estimate_scales(ic_case *system, ic_state *states, ic_arena *arena);

#endif
