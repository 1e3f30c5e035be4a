/* SPDX-License-Identifier: MIT */
/* Gragg's midpoint rule, extrapolated to order 8, in fixed steps of many times the usual length. */
#include "validation/saints/extrapolation.h"

#define NAME "extrapolation"
#define ORDER 8
#define STEP(x1, s, h) extrapolate(x1, s, h)

#include "validation/rogues/event_base.h"
