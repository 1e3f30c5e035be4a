/* SPDX-License-Identifier: MIT */
/* A parameter is changed during the run and restored: another thread may see it. */
static void disturb(const double *par)
{
    volatile double *mine = (volatile double *)par;
    const double kept = mine[0];
    mine[0] = kept + 1;
    mine[0] = kept;
}

#define BEGINS(problem) disturb((problem)->par)

#include "tests/plugins/faulty/event_base.h"
