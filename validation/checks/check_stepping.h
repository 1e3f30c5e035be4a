/* SPDX-License-Identifier: MIT */
/** What time stepping with impulses has to show on one problem. */
#ifndef IC_VALIDATION_CHECKS_CHECK_STEPPING_H
#define IC_VALIDATION_CHECKS_CHECK_STEPPING_H

#include "validation/results.h"

/**
 * Add rows for the order in the final state, for overlap if there are stops, and for energy if it
 * is stated and none is supplied. The variant of the problem has the view as stops and friction.
 */
void ic_stepping_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                       const char *path);

#endif
