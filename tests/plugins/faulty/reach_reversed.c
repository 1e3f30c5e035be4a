/* SPDX-License-Identifier: MIT */
/* A spring and dashpot whose contact is said to begin below the surface, where it begins above. */
#include "tests/plugins/faulty/export.h"

enum { K, C };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "1e6", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1500", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    const double force = par[K] * d + par[C] * v;
    return force > 0 ? force : 0;
}

static double reach(double v, const double *par)
{
    return par[C] * v / par[K];
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "kelvin-voigt-B",
    .title = "F = k d + c d'",
    .source = "Jonsson, Bathelt & Broman 2005",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION,
    .condition = IC_CONDITION_B,
    .reach = reach,
};

EXPORT_LAW(law)
