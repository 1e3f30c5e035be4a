/* SPDX-License-Identifier: MIT */
/* The first step of a run is as long as the last one of the run before. */
static double kept = 1;

#define BEGINS(problem) (kept *= 0.75)
#define PROPOSE(s, h) (h) * (0.5 + 0.5 * kept)
#define CONTROL IC_CONTROL_STEP

#include "tests/plugins/faulty/event_base.h"
