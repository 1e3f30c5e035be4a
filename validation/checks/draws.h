/* SPDX-License-Identifier: MIT */
/** Random problems, certified on the spot. */
#ifndef IC_VALIDATION_CHECKS_DRAWS_H
#define IC_VALIDATION_CHECKS_DRAWS_H

#include "validation/subjects.h"

/**
 * Draw `count` problems around a preset, certify each, and hold against it every solver of a list
 * that serves it: one row for each solver, with its worst. The same seed draws the same problems.
 */
void ic_draws_judge(ic_results *results, const ic_setup *base, const char *path,
                    const ic_solver *const *solvers, size_t n_solvers, int count);

#endif
