/* SPDX-License-Identifier: MIT */
/* Tsuji's law for bodies of 1 kg, with the damping alpha itself in place of a restitution. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, ALPHA };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"K", "N/m^1.5", "stiffness", "1e8", "(0, inf)"},
    [ALPHA] = {"alpha", "kg^(1/2)", "damping", "0.2", "[0, 1]"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    if (d <= 0) return 0;
    return par[STIFFNESS] * d * sqrt(d) + par[ALPHA] * sqrt(par[STIFFNESS] * sqrt(d)) * v;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "tsuji",
    .title = "F = K d^1.5 + alpha sqrt(K) d^(1/4) v",
    .source = "Tsuji, Tanaka & Ishida 1992",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
};

EXPORT_LAW(law)
