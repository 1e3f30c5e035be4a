/* SPDX-License-Identifier: MIT */
/* Adaptive steps; events are where a straight line through both ends of a quarter of the step crosses zero. */
#define CROSSES_AT(s, guard, side, a, b, h) secant(s, guard, a, b)

#include "tests/plugins/faulty/adaptive_base.h"
