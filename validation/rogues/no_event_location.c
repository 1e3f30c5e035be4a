/* SPDX-License-Identifier: MIT */
/* Events are taken at the end of their step. */
#define FRACTION(s, guard, h, g0, g1) 1

#include "validation/rogues/solver_base.h"
