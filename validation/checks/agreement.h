/* SPDX-License-Identifier: MIT */
/** Distance of two runs of a problem that has no certified answer. */
#ifndef IC_VALIDATION_CHECKS_AGREEMENT_H
#define IC_VALIDATION_CHECKS_AGREEMENT_H

#include "validation/results.h"
#include "validation/selection.h"

/** Adds rows for two accurate runs of a problem, and for each of `n` solvers by them. `certified`: a part of the run is. */
void ic_agreement_judge(ic_results *results, const ic_problem *problem, const char *path, bool certified,
                        const ic_solver *const *solvers, size_t n);

/** The same for all selected solvers that serve the problem. */
void ic_agreement_judge_selected(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                                 const char *path, bool certified);

#endif
