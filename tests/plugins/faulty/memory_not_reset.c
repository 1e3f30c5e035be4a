/* SPDX-License-Identifier: MIT */
/* The speed of the first impact is used for all that follow. */
static double first_speed(double v0)
{
    static double first;
    if (first == 0) first = v0;
    return first;
}

#define REMEMBER(v0, par) (1.5 * (1 - (par)[E]) / first_speed(v0))

#include "tests/plugins/faulty/law_base.h"
