/* SPDX-License-Identifier: MIT */
/**
 * Cubics through values and slopes at both ends of a step: of the state, for methods without an
 * interpolant of their own, and of guards.
 */
#pragma once

#include "core/event_loop.h"

typedef struct ic_cubic {
    size_t n;
    double t0, t1;

    /* n numbers each */
    const double *x0, *f0, *x1, *f1;
} ic_cubic;

static inline void ic_cubic_state(const ic_cubic *c, double t, double *x)
{
    const double h = c->t1 - c->t0, p = h > 0 ? (t - c->t0) / h : 0, q = 1 - p;
    for (size_t j = 0; j < c->n; j++) {
        const double difference = c->x1[j] - c->x0[j];
        x[j] = q * c->x0[j] + p * c->x1[j] +
               p * q * (q * (h * c->f0[j] - difference) + p * (difference - h * c->f1[j]));
    }
}

/**
 * Whether each guard of the phase stays on its side of zero along the cubic through its values and
 * rates at both ends: all Bernstein coefficients are on that side.
 */
static inline bool ic_guards_stay_clear(const ic_phase *phase, double t0, const double *x0, double t1,
                                        const double *x1)
{
    const double third = (t1 - t0) / 3;
    for (size_t i = 0; i < phase->n_watched; i++) {
        const int side = phase->arming[i].side;
        if (phase->arming[i].order > 0) return false;
        const double g0 = side * ic_phase_guard(phase, i, t0, x0), g1 = side * ic_phase_guard(phase, i, t1, x1);
        if (!(g0 > 0 && g1 > 0 && g0 + third * side * ic_phase_guard_rate(phase, i, t0, x0) > 0 &&
              g1 - third * side * ic_phase_guard_rate(phase, i, t1, x1) > 0))
            return false;
    }
    return true;
}
