/* SPDX-License-Identifier: MIT */
/* A law that says that e is what comes out, and delivers it: the damping is found by halving,
   impact by impact. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .restitution = "e"
#define REMEMBER(v0, par) (exact_damping((par)[E]) / (v0))

#include <math.h>

/* a (1 + e) = ln((1 + a)/(1 - a e)); without restitution at all the greatest damping that a number
   holds is not asked for */
static double exact_damping(double e)
{
    double low = 0, high = 1 / fmax(e, 1e-3);
    for (int i = 0; i < 200; i++) {
        const double a = 0.5 * (low + high);
        if (a * (1 + e) - log1p(a) + log1p(-a * e) > 0) low = a;
        else high = a;
    }
    return e < 1 ? 0.5 * (low + high) : 0;
}

#include "tests/plugins/faulty/law_base.h"
