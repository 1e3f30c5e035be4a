/* SPDX-License-Identifier: MIT */
/* Explicit Euler steps, which claim order 1, and bisection of the step. */
#include "tests/plugins/correct/euler.h"

#define NAME "euler"
#define ORDER 1
#define STEP(x1, s, h) euler(x1, s, h)

#include "tests/plugins/faulty/event_base.h"
