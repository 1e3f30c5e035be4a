/* SPDX-License-Identifier: MIT */
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

#include "tests/plugins/faulty/plastic.h"
