/* SPDX-License-Identifier: MIT */
/*
 * A contact of Hunt and Crossley, F = k d^(3/2) (1 + a d'/v0), in small steps; a is such that a
 * central impact at v0 returns e: a (1 + e) = log((1 + a)/(1 - a e)).
 */
#define NAME "hunt-crossley"
#define FOLLOW(s, b) follow_spring(s, b)
#define STIFFNESS 3e9   /* N/m^(3/2); a contact of half a millisecond */
#define SMALL_STEP 1e-6 /* s */
#define MOST_DAMPING 1e6
#define LEAST_RESTITUTION 0.05 /* no step is small enough for the damping of e = 0 */

#include "tests/plugins/correct/penalty.h"
#include "tests/plugins/faulty/exact_damping.h"

static double v0, a = -1; /* a < 0: not known yet */

static double spring(const ic_scene *s, const contact *c, double d)
{
    if (d <= 0) v0 = fmax(-c->v[1], 1e-3), a = -1;
    else if (a < 0) a = exact_damping(fmax(s->e, LEAST_RESTITUTION), MOST_DAMPING);
    return d > 0 ? fmax(STIFFNESS * d * sqrt(d) * (1 - a * c->v[1] / v0), 0) : 0;
}

#include "tests/plugins/faulty/engine_base.h"
