/* SPDX-License-Identifier: MIT */
/* The length of steps depends on a number in uninitialised heap memory. */
#include <math.h>
#include <stdlib.h>

static double share;
static double *volatile fresh;

static void take_share(void)
{
    fresh = malloc(512);
    share = 0.5 + 0.5 / (1 + fmin(fabs(fresh[7]), 1e3));
    free(fresh);
}

#define BEGINS(problem) take_share()
#define PROPOSE(s, h) (h) * share
#define CONTROL IC_CONTROL_STEP

#include "tests/plugins/faulty/event_base.h"
