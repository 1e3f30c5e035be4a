/* SPDX-License-Identifier: MIT */
/* How long steps are depends on a variable that has not been set. */
#include <math.h>

static double share;

static void look(double *unset)
{
    share = 0.5 + 0.5 / (1 + fmin(fabs(unset[100]), 1e3));
}

static void (*volatile looks)(double *) = look;

static void take_share(void)
{
    double numbers[256];
    looks(numbers);
}

#define BEGINS(problem) take_share()
#define PROPOSE(s, h) (h) * share
#define CONTROL IC_CONTROL_STEP

#include "tests/plugins/faulty/event_base.h"
