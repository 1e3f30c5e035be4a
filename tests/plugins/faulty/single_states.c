/* SPDX-License-Identifier: MIT */
/* States are numbers of single precision. */
#define STEP(x1, s, h) single_step(x1, s, h)

#include "tests/plugins/faulty/event_place.h"

static void runge_kutta(double *x1, const place *s, double h);

static void single_step(double *x1, const place *s, double h)
{
    runge_kutta(x1, s, h);
    for (size_t j = 0; j < s->n; j++) x1[j] = (double)(float)x1[j];
}

#include "tests/plugins/faulty/event_base.h"
