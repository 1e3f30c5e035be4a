/* SPDX-License-Identifier: MIT */
/** Typical magnitudes of those states for which a case file gives none. */
#pragma once

#include "casefile/arena.h"
#include "impactcheck/impactcheck.h"

/**
 * Estimate scales that the file does not give, by a rough run of the first preset. If time_scale is
 * NULL, it becomes the period of the fastest oscillation, but at most a hundredth of the run. A
 * scale "0" becomes the power of ten nearest to the largest magnitude of the state, or to 1e-4 of
 * the largest magnitude of all states with the same unit if that is greater. `states` are those of
 * the case. false: memory ran out.
 */
bool ic_estimate_scales(ic_case *system, ic_state *states, ic_arena *arena);
