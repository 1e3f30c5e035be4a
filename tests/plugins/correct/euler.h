/* SPDX-License-Identifier: MIT */
/* x1 = x + h f(x) */
#include "tests/plugins/faulty/event_place.h"

static inline void euler(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES];
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h * f[j];
}
