/* SPDX-License-Identifier: MIT */
/* Laws that remember the greatest depth, with one mistake each: each redefines something of plastic.h. */
#include <math.h>

#if defined FAULTY_deepest_lags
/* The greatest depth follows the depth by half of their difference in each call. */
#define UPDATE(memory, d) fmax(memory, 0.5 * ((memory) + (d)))
#elif defined FAULTY_deepest_not_reset
/* A contact begins with the greatest depth of all contacts before. */
static double deepest(double memory, double d)
{
    static double most;
    if (d > most) most = d;
    if (memory > most) most = memory;
    return most;
}
#define REMEMBER() deepest(0, 0)
#define UPDATE(memory, d) deepest(memory, d)
#elif defined FAULTY_history_ignored
/* Unloading goes back on the line of loading, with its stiffness. */
#define UNLOADING(d, D, par) ((par)[K_1] * (d))
#elif defined FAULTY_unloads_as_soft
/* Unloading has the stiffness of loading, but ends at the depth that is left: the force jumps at the turn. */
#define UNLOADING(d, D, par) ((par)[K_1] * ((d) - (1 - (par)[K_1] / (par)[K_2]) * (D)))
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/plastic.h"
