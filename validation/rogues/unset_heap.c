/* SPDX-License-Identifier: MIT */
/* How long steps are depends on a number of fresh memory. */
#include <math.h>
#include <stdlib.h>

static double part;
static double *volatile fresh;

static void take_part(void)
{
    fresh = malloc(512);
    part = 0.5 + 0.5 / (1 + fmin(fabs(fresh[7]), 1e3));
    free(fresh);
}

#define BEGINS(problem) take_part()
#define PROPOSE(s, h) (h) * part
#define CONTROL IC_CONTROL_STEP

#include "validation/rogues/event_base.h"
