/* SPDX-License-Identifier: MIT */
/** Random problems, certified on the spot. */
#ifndef IC_VALIDATION_CHECKS_DRAWS_H
#define IC_VALIDATION_CHECKS_DRAWS_H

#include "validation/subjects.h"

/**
 * Draw `count` problems around a preset, certify each, and compare the suitable solvers of a list
 * with it: one row for each solver, with its largest error. The seed is fixed.
 */
void ic_draws_judge(ic_results *results, const ic_setup *base, const char *path,
                    const ic_solver *const *solvers, size_t n_solvers, int count);

#endif
