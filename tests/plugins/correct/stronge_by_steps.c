/* SPDX-License-Identifier: MIT */
/*
 * Stronge's hypothesis by following the velocity through the impact in small steps of the normal
 * impulse: friction is decided in each step anew, and a step in which the slip would change its
 * sign is cut there.
 */
#include "tests/plugins/faulty/export.h"

#include <math.h>

/* Steps of the impulse that a central impact without friction needs to be compressed. */
#define STEPS 2000.0

typedef struct moving {
    double v[2], P[2];

    /* energy taken by compression, J */
    double taken;

    /* energy returned since its end, J */
    double held;
} moving;

/* Ratio of tangential to normal impulse in what comes next. */
static double friction(const ic_impact *p, double v_x)
{
    const double needed = -p->w_xy / p->w_xx;
    if (v_x != 0) return v_x > 0 ? -p->mu : p->mu;
    return fabs(needed) <= p->mu ? needed : needed > 0 ? p->mu : -p->mu;
}

/* One step of at most h: up to a stop of the slip, to the end of compression, or to the end of the
   impact. */
static bool advance(moving *m, const ic_impact *p, double h)
{
    const double ratio = friction(p, m->v[0]);
    const double a = p->w_xy + p->w_xx * ratio, b = p->w_yy + p->w_xy * ratio;
    const double left = p->e * p->e * m->taken - m->held;
    double v_x = m->v[0] + a * h, v_y = m->v[1] + b * h;
    bool done = false;
    if (v_x * m->v[0] < 0) h = -m->v[0] / a, v_x = 0, v_y = m->v[1] + b * h;
    if (m->v[1] < 0 && v_y > 0) h = -m->v[1] / b, v_x = m->v[0] + a * h, v_y = 0;
    if (m->v[1] >= 0 && 0.5 * (m->v[1] + v_y) * h >= left) {
        h = left > 0 ? 2 * left / (m->v[1] + sqrt(m->v[1] * m->v[1] + 2 * b * left)) : 0;
        v_x = m->v[0] + a * h, v_y = m->v[1] + b * h;
        done = true;
    }
    const double work = 0.5 * (m->v[1] + v_y) * h;
    if (m->v[1] < 0) m->taken -= work;
    else m->held += work;
    m->P[0] += ratio * h, m->P[1] += h;
    m->v[0] = fabs(v_x) < 1e-14 * fabs(p->v[1]) ? 0 : v_x, m->v[1] = v_y;
    return done;
}

static ic_status map(ic_impact_result *r, const ic_impact *p)
{
    if (!(p->v[1] < 0 && p->w_xx > 0 && p->w_xx * p->w_yy > p->w_xy * p->w_xy)) return IC_INVALID;
    if (!(p->mu >= 0 && p->e >= 0 && p->e <= 1)) return IC_INVALID;
    moving m = {.v = {p->v[0], p->v[1]}};
    while (!advance(&m, p, -p->v[1] / p->w_yy / STEPS)) continue;
    *r = (ic_impact_result){.v = {m.v[0], m.v[1]}, .P = {m.P[0], m.P[1]}, .D_N = m.taken - m.held};
    r->D_T = -0.5 * (r->P[0] * (r->v[0] + p->v[0]) + r->P[1] * (r->v[1] + p->v[1])) - r->D_N;
    return IC_OK;
}

EXPORT_MAP("stronge", "by steps", "Stronge 1990", map)
