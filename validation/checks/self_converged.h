/* SPDX-License-Identifier: MIT */
/**
 * Solvers against answers in which two runs of different order and precision agree: the rotating
 * beam has no closed form.
 */
#ifndef IC_VALIDATION_CHECKS_SELF_CONVERGED_H
#define IC_VALIDATION_CHECKS_SELF_CONVERGED_H

#include "validation/subjects.h"

/**
 * Two rows for each solver of a list, and one for the reference itself; a row that says why where
 * the reference has no answer. Parameters are the very doubles that solvers get. Only in `full` are
 * many modes followed into the contact, which takes its time.
 */
void ic_self_converged_judge(ic_results *results, const ic_setup *setup, const char *path,
                             const ic_solver *const *solvers, size_t n_solvers, bool full);

#endif
