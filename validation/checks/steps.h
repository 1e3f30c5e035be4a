/* SPDX-License-Identifier: MIT */
/**
 * Judges solvers with fixed steps if a part of the motion, such as a stiff contact, is too fast for
 * the default step.
 */
#pragma once

#include "validation/results.h"

/** Adds rows about a solver's run with these options. */
typedef void ic_judge_options(ic_results *results, const ic_options *options, void *context);

/**
 * Judge a run with the default step. If it fails, judge the solver by the first shorter step with
 * which no row fails; the rows then state this step. A wrong solver fails with all steps.
 */
void ic_judge_steps(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_options *options, ic_judge_options *judge, void *context);
