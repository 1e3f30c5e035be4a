/* SPDX-License-Identifier: MIT */
/* Gragg's modified midpoint rule with 2, 4, 6 and 8 parts, extrapolated in their squares (Aitken
   and Neville). */
#include "tests/plugins/faulty/event_place.h"

enum { ROWS = 4 };

static inline void midpoint_rule(double *x1, const place *s, double h, int parts)
{
    double f[IC_MAX_STATES], before[IC_MAX_STATES], now[IC_MAX_STATES];
    const double part = h / parts;
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) before[j] = s->x[j], now[j] = s->x[j] + part * f[j];
    for (int i = 1; i < parts; i++) {
        s->mode->flow(f, s->t + i * part, now, s->problem->par);
        for (size_t j = 0; j < s->n; j++) {
            const double next = before[j] + 2 * part * f[j];
            before[j] = now[j], now[j] = next;
        }
    }
    s->mode->flow(f, s->t + h, now, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = 0.5 * (before[j] + now[j] + part * f[j]);
}

static inline void extrapolate(double *x1, const place *s, double h)
{
    double table[ROWS][IC_MAX_STATES];
    for (int i = 0; i < ROWS; i++) {
        midpoint_rule(table[i], s, h, 2 * (i + 1));
        for (int k = i - 1; k >= 0; k--) {
            const double ratio = (double)(i + 1) / (k + 1);
            for (size_t j = 0; j < s->n; j++)
                table[k][j] = table[k + 1][j] + (table[k + 1][j] - table[k][j]) / (ratio * ratio - 1);
        }
    }
    memcpy(x1, table[0], s->n * sizeof *x1);
}
