/* SPDX-License-Identifier: MIT */
/* The length of steps depends on an uninitialised variable. */
#include <math.h>

static double share;

static void set_share(double *unset)
{
    share = 0.5 + 0.5 / (1 + fmin(fabs(unset[100]), 1e3));
}

static void (*volatile looks)(double *) = set_share;

static void take_share(void)
{
    double numbers[256];
    looks(numbers);
}

#define BEGINS(problem) take_share()
#define PROPOSE(s, h) (h) * share
#define CONTROL IC_CONTROL_STEP

#include "tests/plugins/faulty/event_base.h"
