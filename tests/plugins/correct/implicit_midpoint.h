/* SPDX-License-Identifier: MIT */
/* x1 = x + h f((x + x1)/2), by iteration until nothing changes. */
#include "tests/plugins/faulty/event_place.h"

static inline void implicit_midpoint(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES], x[IC_MAX_STATES], change = 1;
    memcpy(x1, s->x, s->n * sizeof *x1);
    for (int i = 0; i < 60 && change > 0; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = 0.5 * (s->x[j] + x1[j]);
        s->mode->flow(f, s->t + 0.5 * h, x, s->problem->par);
        change = 0;
        for (size_t j = 0; j < s->n; j++) {
            const double next = s->x[j] + h * f[j];
            if (fabs(next - x1[j]) > 1e-16 * (fabs(next) + fabs(h * f[j]))) change = 1;
            x1[j] = next;
        }
    }
}
