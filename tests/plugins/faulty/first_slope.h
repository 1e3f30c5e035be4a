/* SPDX-License-Identifier: MIT */
/* Runge-Kutta's weights and places, with every stage taken along the first slope. */
#include "tests/plugins/faulty/event_place.h"

static inline void first_slope(double *x1, const place *s, double h)
{
    static const double parts[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
    double k[4][IC_MAX_STATES], x[IC_MAX_STATES];
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + (i > 0 ? h * parts[i] * k[0][j] : 0);
        s->mode->flow(k[i], s->t + h * parts[i], x, s->problem->par);
    }
    for (size_t j = 0; j < s->n; j++) {
        x1[j] = s->x[j];
        for (int i = 0; i < 4; i++) x1[j] += h / 6 * weights[i] * k[i][j];
    }
}
