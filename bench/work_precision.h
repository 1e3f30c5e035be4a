/* SPDX-License-Identifier: MIT */
/**
 * Measures every registered solver on the registered cases, over a range of tolerances or steps.
 */
#pragma once

#include "bench/cost.h"
#include "bench/settings.h"

/**
 * Adds the rows and, if timed, calibration, load and pairs; if timed for all subjects and solvers,
 * also overhead, floor and diagram. false: `error` states why not.
 */
bool ic_cost_measure(ic_cost_results *results, const ic_cost_request *request, ic_error *error);

/** Returns whether a preset represents its case in runs that are not full. */
bool ic_cost_represents(const ic_case *system, const ic_preset *preset);
