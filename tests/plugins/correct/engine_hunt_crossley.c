/* SPDX-License-Identifier: MIT */
/*
 * A contact of Hunt and Crossley, F = k d^(3/2) (1 + a d'/v0), in small steps; a is such that a
 * central impact at v0 returns e: a (1 + e) = log((1 + a)/(1 - a e)). Friction is Coulomb's, linear
 * in the slip where that is slow.
 */
#define NAME "hunt-crossley"
#define FOLLOW(s, b) follow_spring(s, b)

#include "tests/plugins/faulty/engine_contact.h"
#include "tests/plugins/faulty/exact_damping.h"

#define STIFFNESS 3e9   /* N/m^(3/2); a contact of half a millisecond */
#define SMALL_STEP 1e-6 /* s */
#define SLOW 1e-4       /* m/s */
#define MOST_DAMPING 1e6
#define LEAST_RESTITUTION 0.05

static double v0;

static void spring_step(const ic_scene *s, ic_body_row *b, double a, double h)
{
    const contact c = contact_of(s, b);
    const double d = -(b->y + c.r[1]);
    if (d <= 0) v0 = fmax(-c.v[1], 1e-3);
    const double F = d > 0 ? fmax(STIFFNESS * d * sqrt(d) * (1 - a * c.v[1] / v0), 0) : 0;
    push(s, b, &c, -s->mu * F * h * fmax(fmin(c.v[0] / SLOW, 1), -1), F * h);
    b->vy -= s->gravity * h;
    b->x += h * b->vx, b->y += h * b->vy, b->phi += h * b->omega;
}

static inline void follow_spring(const ic_scene *s, ic_body_row *b)
{
    const contact c = contact_of(s, b);
    const bool near = b->y + c.r[1] < 2 * s->step * (fabs(c.v[1]) + s->gravity * s->step);
    const int parts = near ? (int)ceil(s->step / SMALL_STEP) : 1;
    /* No step is small enough for the damping of e = 0. */
    const double a = exact_damping(fmax(s->e, LEAST_RESTITUTION), MOST_DAMPING);
    for (int i = 0; i < parts; i++) spring_step(s, b, a, s->step / parts);
}

#include "tests/plugins/faulty/engine_base.h"
