/* SPDX-License-Identifier: MIT */
/* The implicit midpoint rule, solved by iteration, and bisection of the step. */
#include "tests/plugins/correct/implicit_midpoint.h"

#define NAME "implicit-midpoint"
#define ORDER 2
#define STEP(x1, s, h) implicit_midpoint(x1, s, h)

#include "tests/plugins/faulty/event_base.h"
