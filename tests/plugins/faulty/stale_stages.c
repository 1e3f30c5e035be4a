/* SPDX-License-Identifier: MIT */
/* All stages of a step use the time of its start, so that forcing is late. */
#define STEP(x1, s, h) stages_at_start(x1, s, h)

#include "tests/plugins/faulty/event_place.h"

static inline void stages_at_start(double *x1, const place *s, double h)
{
    static const double parts[] = {0, 0.5, 0.5, 1};
    double k[4][IC_MAX_STATES], x[IC_MAX_STATES];
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + (i > 0 ? h * parts[i] * k[i - 1][j] : 0);
        s->mode->flow(k[i], s->t, x, s->problem->par);
    }
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

#include "tests/plugins/faulty/event_base.h"
