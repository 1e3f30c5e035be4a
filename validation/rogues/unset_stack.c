/* SPDX-License-Identifier: MIT */
/* How long steps are depends on a variable that has not been set. */
#include <math.h>
#include <stddef.h>

static double part;
static double *volatile unset;

static void take_part(void)
{
    double numbers[256];
    unset = numbers;
    part = 0.5 + 0.5 / (1 + fmin(fabs(unset[100]), 1e3));
    unset = NULL;
}

#define BEGINS(problem) take_part()
#define PROPOSE(s, h) (h) * part
#define CONTROL IC_CONTROL_STEP

#include "validation/rogues/event_base.h"
