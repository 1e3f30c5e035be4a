/* SPDX-License-Identifier: MIT */
/* F = K d^n + C d d'/v0: the drag is far greater than the spring of shallow contacts. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { K, N, C };

static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C] = {"C", "N/m", "drag per depth, at the speed of the impact", "3e9", "[0, inf)"},
};

static double remember(double v0, const double *par)
{
    return par[C] / v0;
}

static double force(double d, double v, double memory, const double *par)
{
    return d > 0 ? par[K] * pow(d, par[N]) + memory * d * v : 0;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "mixed-damping",
    .title = "F = K d^n + C d d'/v0",
    .source = "own",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C_STAR,
    .remember = remember,
    .memory_unit = "N s/m^2",
};

EXPORT_LAW(law)
