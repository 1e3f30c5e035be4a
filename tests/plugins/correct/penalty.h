/* SPDX-License-Identifier: MIT */
/*
 * F = k d up to the greatest indentation d_m, then F = k/e^2 (d - (1 - e^2) d_m): the restitution
 * is e. Friction is Coulomb's, linear in the slip where that is slow. Explicit steps, velocities
 * first.
 */
#include "tests/plugins/faulty/engine_contact.h"

#define STIFFNESS 1e7   /* N/m; a contact of 1 ms */
#define SMALL_STEP 5e-7 /* s */
#define SLOW 1e-4       /* m/s */

static double deepest;

static double spring(const ic_scene *s, double d)
{
    const double e = fmax(s->e, 0.05);
    deepest = d > 0 ? fmax(deepest, d) : 0;
    return d > 0 ? fmax(fmin(STIFFNESS * d, STIFFNESS / (e * e) * (d - (1 - e * e) * deepest)), 0) : 0;
}

static void spring_step(const ic_scene *s, ic_body_row *b, double h)
{
    const contact c = contact_of(s, b);
    const double F = spring(s, -(b->y + c.r[1]));
    push(s, b, &c, -s->mu * F * h * fmax(fmin(c.v[0] / SLOW, 1), -1), F * h);
    b->vy -= s->gravity * h;
    b->x += h * b->vx, b->y += h * b->vy, b->phi += h * b->omega;
}

static inline void follow_spring(const ic_scene *s, ic_body_row *b)
{
    const contact c = contact_of(s, b);
    const bool near = b->y + c.r[1] < 2 * s->step * (fabs(c.v[1]) + s->gravity * s->step);
    const int parts = near ? (int)ceil(s->step / SMALL_STEP) : 1;
    for (int i = 0; i < parts; i++) spring_step(s, b, s->step / parts);
}
