/* SPDX-License-Identifier: MIT */
/* Events are located by one linear interpolation of their step. */
#define PARTS 1
#define CROSSES_AT(s, guard, side, a, b, h) secant(s, guard, a, b)

#include "tests/plugins/faulty/event_base.h"
