/* SPDX-License-Identifier: MIT */
/*
 * Contacts as springs: a file defines `spring`, the force at an indentation d, which is negative apart. Friction is
 * Coulomb's, linear in the slip where that is slow. Explicit steps, velocities first.
 */
#include "tests/plugins/faulty/engine_contact.h"

#define SLOW 1e-4 /* m/s */

static double spring(const ic_scene *s, const contact *c, double d);

static void spring_step(const ic_scene *s, ic_body_row *b, double h)
{
    const contact c = contact_of(s, b);
    const double F = spring(s, &c, -(b->y + c.r[1]));
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
