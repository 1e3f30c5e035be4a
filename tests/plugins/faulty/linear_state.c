/* SPDX-License-Identifier: MIT */
/* The time of an event is right; the state is that on the chord of the step. */
#define STATE_AT(x, s, h, u, x1) on_chord(x, s, u, x1)

#include "tests/plugins/faulty/event_place.h"

static void on_chord(double *x, const place *s, double u, const double *x1)
{
    for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + u * (x1[j] - s->x[j]);
}

#include "tests/plugins/faulty/event_base.h"
