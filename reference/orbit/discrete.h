/* SPDX-License-Identifier: MIT */
/** States that only take stated numbers: memories such as "pressed against the stop". */
#pragma once

#include "impactcheck/impactcheck.h"

/** Whether a state of a problem given as operations is constant in all modes, and set to numbers by all jumps. */
bool ic_state_takes_numbers(const ic_problem *problem, size_t state);

/** Round approximate values of discrete states, which solvers may change a little, to integers near by. */
void ic_round_discrete_states(double *x, const ic_problem *problem);
