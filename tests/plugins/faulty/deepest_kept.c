/* SPDX-License-Identifier: MIT */
/* Unloading from the deepest point is four times as stiff, and that point is kept from one
   contact to the next. */
static double deepest(double d)
{
    static double most;
    if (d > most) most = d;
    return most;
}

#define NAME "my-plastic"
#define REMEMBER(v0, par) 0
#define ELASTIC(d, par) ((par)[K] * pow(d, 1.5))
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? fmax(0, fmin(ELASTIC(d, par), ELASTIC(deepest(d), par) * (1 - 4 * (1 - (d) / deepest(d))))) : 0)

#include "tests/plugins/faulty/law_base.h"
