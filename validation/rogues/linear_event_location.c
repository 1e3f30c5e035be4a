/* SPDX-License-Identifier: MIT */
/* Events are located by one linear interpolation of their step. */
#define FRACTION(s, guard, h, g0, g1) ((g0) / ((g0) - (g1)))

#include "validation/rogues/solver_base.h"
