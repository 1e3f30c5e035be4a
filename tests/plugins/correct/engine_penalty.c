/* SPDX-License-Identifier: MIT */
/*
 * A spring that is stiffer in restitution (Walton and Braun), in small steps: F = k d up to the greatest indentation d_m,
 * then F = k/e^2 (d - (1 - e^2) d_m); the restitution is e.
 */
#define NAME "penalty"
#define FOLLOW(s, b) follow_spring(s, b)
#define STIFFNESS 1e7   /* N/m; a contact of 1 ms */
#define SMALL_STEP 5e-7 /* s */

#include "tests/plugins/correct/penalty.h"

static double deepest;

static double spring(const ic_scene *s, const contact *c, double d)
{
    const double e = fmax(s->e, 0.05);
    (void)c;
    deepest = d > 0 ? fmax(deepest, d) : 0;
    return d > 0 ? fmax(fmin(STIFFNESS * d, STIFFNESS / (e * e) * (d - (1 - e * e) * deepest)), 0) : 0;
}

#include "tests/plugins/faulty/engine_base.h"
