/* SPDX-License-Identifier: MIT */
/* Crossings in both directions are events. */
#define COUNTS(guard, side) true

#include "validation/rogues/solver_base.h"
