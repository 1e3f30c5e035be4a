/* SPDX-License-Identifier: MIT */
/** The order of one solver with fixed steps, by comparison with a certified answer. */
#ifndef IC_VALIDATION_CHECKS_CHECK_ORDERS_H
#define IC_VALIDATION_CHECKS_CHECK_ORDERS_H

#include "validation/results.h"
#include "validation/truth.h"

/** Adds a row for the final state, and one for event times if there are events. */
void ic_orders_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                     const ic_truth *truth, const char *path);

#endif
