/* SPDX-License-Identifier: MIT */
/** What time stepping with impulses has to show on one problem. */
#ifndef IC_VALIDATION_CHECKS_CHECK_STEPPING_H
#define IC_VALIDATION_CHECKS_CHECK_STEPPING_H

#include "validation/results.h"
#include "validation/truth.h"

/** The part of a problem that is certified for the order, up to a time between events. */
typedef struct ic_stepping_window {
    /* without a system: not certified yet */
    ic_problem problem;

    /* release it with ic_truth_clear */
    ic_truth truth;
} ic_stepping_window;

/**
 * Add rows for the order in the final state, for overlap if there are stops, and for energy if it
 * is stated and none is supplied. The variant of the problem has the view as stops and friction.
 * The first solver of a problem certifies its window, {0} at first.
 */
void ic_stepping_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                       ic_stepping_window *window, const char *path);

#endif
