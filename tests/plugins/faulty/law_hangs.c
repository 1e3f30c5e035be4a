/* SPDX-License-Identifier: MIT */
/* The force never returns. */
static inline double for_ever(double stiffness)
{
    volatile double wanted = stiffness;
    while (wanted > 0) wanted = stiffness;
    return wanted;
}

#define FORCE(d, v, memory, par) ((d) > 0 ? for_ever((par)[K]) : 0)

#include "tests/plugins/faulty/law_base.h"
