/* SPDX-License-Identifier: MIT */
/* Gragg's midpoint rule, extrapolated to order 8, in fixed steps. */
#include "tests/plugins/correct/extrapolation.h"

#define NAME "extrapolation"
#define ORDER 8
#define STEP(x1, s, h) extrapolate(x1, s, h)

#include "tests/plugins/faulty/event_base.h"
