/* SPDX-License-Identifier: MIT */
/** Finds which states of a case are positions and which are their rates, from the flow. */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_POSITIONS_H
#define IC_AUDIT_TRAJECTORY_INPUT_POSITIONS_H

#include "impactcheck/impactcheck.h"

/**
 * The number of the state whose rate state i is: d(dx_j/dt)/dx_i = 1, and the unit is that of x_j
 * per second. n_states: none.
 */
size_t ic_position_of(const ic_problem *problem, size_t i);

#endif
