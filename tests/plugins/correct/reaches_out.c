/* SPDX-License-Identifier: MIT */
/* A spring and dashpot under condition B: contact begins above the surface, where the dashpot
   pushes. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { SPRING, DASHPOT };

static const ic_parameter parameters[] = {
    [SPRING] = {"k", "N/m", "of the spring", "4e5", "(0, inf)"},
    [DASHPOT] = {"c", "N s/m", "of the dashpot", "250", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return fmax(0, par[SPRING] * d + par[DASHPOT] * v);
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    return force(d, v, memory, par) > 0 ? par[SPRING] * v + par[DASHPOT] * acceleration : 0;
}

static double reach(double v, const double *par)
{
    return -par[DASHPOT] * v / par[SPRING];
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "reaches-out",
    .title = "F = k d + c d' where that pushes",
    .source = "Jonsson, Bathelt & Broman 2005",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION,
    .condition = IC_CONDITION_B,
    .force_rate = force_rate,
    .reach = reach,
};

EXPORT_LAW(law)
