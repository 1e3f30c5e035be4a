/* SPDX-License-Identifier: MIT */
/** Solvers with fixed steps where a part of the motion, such as a stiff contact, is too fast for the default step. */
#ifndef IC_VALIDATION_CHECKS_STEPS_H
#define IC_VALIDATION_CHECKS_STEPS_H

#include "validation/results.h"

/** Adds rows about a solver's run with these options. */
typedef void ic_judge_options(ic_results *results, const ic_options *options, void *context);

/**
 * Judges a run with the default step. If it fails, the solver is judged by the first shorter step with which nothing fails,
 * and the rows say so; a wrong solver fails with all.
 */
void ic_judge_steps(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_options *options, ic_judge_options *judge, void *context);

#endif
