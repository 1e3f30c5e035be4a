/* SPDX-License-Identifier: MIT */
/** The energy balance of one solver's run. */
#ifndef IC_VALIDATION_CHECKS_CHECK_ENERGY_H
#define IC_VALIDATION_CHECKS_CHECK_ENERGY_H

#include "validation/results.h"

/**
 * The part of a problem whose balance is judged. false: some mode that does not end the run has no
 * energy balance.
 */
bool ic_energy_problem(ic_problem *judged, const ic_problem *problem);

/** Adds a row. */
void ic_energy_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver, const char *path);

#endif
