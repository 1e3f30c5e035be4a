/* SPDX-License-Identifier: MIT */
/* A spring and dashpot so viscous that the body stops at once and creeps back. */
#include "tests/plugins/faulty/export.h"

enum { K, C };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "100", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1e6", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return par[K] * d + par[C] * v;
}

static const ic_law law = {
    LAW_OF(parameters, force),     .name = "kelvin-voigt",
    .title = "F = k d + c d'",     .source = "Jonsson, Bathelt & Broman 2005",
    .promises = IC_LAW_ONLY_LOSES, .condition = IC_CONDITION_A,
};

EXPORT_LAW(law)
