/* SPDX-License-Identifier: MIT */
/* Heun's method of order 2, whose error turns a touch into a shallow dip. */
#define NAME "heun"
#define STEP(x1, s, h) heun(x1, s, h)
#define ORDER 2

#include "tests/plugins/faulty/event_place.h"

static void heun(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES], g[IC_MAX_STATES], x[IC_MAX_STATES];
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + h * f[j];
    s->mode->flow(g, s->t + h, x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + 0.5 * h * (f[j] + g[j]);
}

#include "tests/plugins/faulty/event_base.h"
