/* SPDX-License-Identifier: MIT */
/* Explicit Euler steps, which claim order 1, and bisection of the step. */
#include "validation/saints/euler.h"

#define NAME "euler"
#define ORDER 1
#define STEP(x1, s, h) euler(x1, s, h)

#include "validation/rogues/event_base.h"
