/* SPDX-License-Identifier: MIT */
/**
 * The processor time at which the present thread gives up. Long computations ask now and then whether it has passed,
 * and end early: nobody may use what they return then, which callers find out by asking, too.
 */
#pragma once

#include <stdbool.h>

/** Sets the deadline: this processor time of the present thread from now on, s; 0: none. */
void ic_deadline_after(double seconds);

bool ic_deadline_passed(void);

/** The same in step number k of a loop, which asks in few of them. */
bool ic_deadline_passed_in(long k);
