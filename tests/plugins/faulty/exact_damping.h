/* SPDX-License-Identifier: MIT */
/* The damping with which a contact of Hunt and Crossley returns e: a (1 + e) = ln((1 + a)/(1 - a
   e)). */
#pragma once

#include <math.h>

/* `most`: the damping for e = 0, which has none that is finite. */
static inline double exact_damping(double e, double most)
{
    double low = 0, high = fmin(1 / e, most);
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        if (middle * (1 + e) - log1p(middle) + log1p(-middle * e) > 0) low = middle;
        else high = middle;
    }
    return e < 1 ? 0.5 * (low + high) : 0;
}
