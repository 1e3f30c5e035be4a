/* SPDX-License-Identifier: MIT */
/**
 * Solvers compared with answers in which two runs of different order and precision agree: the
 * rotating beam has no closed form.
 */
#ifndef IC_VALIDATION_CHECKS_SELF_CONVERGED_H
#define IC_VALIDATION_CHECKS_SELF_CONVERGED_H

#include "validation/subjects.h"

/**
 * Two rows for each solver of a list, and one for the reference itself; if the reference has no
 * answer, the row gives the reason. Parameters are exactly the doubles that solvers get. Only
 * `full` follows many modes into the contact, which is slow.
 */
void ic_self_converged_judge(ic_results *results, const ic_setup *setup, const char *path,
                             const ic_solver *const *solvers, size_t n_solvers, bool full);

#endif
