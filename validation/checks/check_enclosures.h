/* SPDX-License-Identifier: MIT */
/** One solver compared with a certified answer. */
#ifndef IC_VALIDATION_CHECKS_CHECK_ENCLOSURES_H
#define IC_VALIDATION_CHECKS_CHECK_ENCLOSURES_H

#include "validation/results.h"
#include "validation/truth.h"

/** Adds rows for the events of a solver's run, and for its end. */
void ic_enclosures_judge(ic_results *results, const ic_problem *problem, const ic_truth *truth,
                         const char *path, const ic_solver *solver);

/** The tolerance of a solver's event times, and its amount, s, for events up to a time. */
const ic_tolerance *ic_time_accepted(const ic_solver *solver);
double ic_time_allowed(const ic_solver *solver, const ic_problem *problem, double t_end);

#endif
