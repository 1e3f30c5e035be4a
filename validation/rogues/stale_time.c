/* SPDX-License-Identifier: MIT */
/* After an event the clock stands at the end of its step. */
#define CLOCK(t, u, h) ((t) + (h))

#include "validation/rogues/solver_base.h"
