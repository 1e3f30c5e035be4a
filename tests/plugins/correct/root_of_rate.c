/* SPDX-License-Identifier: MIT */
/* Damping like the cube root of the rate: steep at the turning point of the contact, but without
   a jump. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { SPRING, LOSS };

static const ic_parameter parameters[] = {
    [SPRING] = {"spring", "N/m^(3/2)", "stiffness", "1e9", "(0, inf)"},
    [LOSS] = {"loss", "(s/m)^(1/3)", "damping over the elastic force", "0.2", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return d > 0 ? par[SPRING] * pow(d, 1.5) * (1 + par[LOSS] * cbrt(v)) : 0;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    const double root = cbrt(v);
    (void)memory;
    if (d <= 0) return 0;
    return par[SPRING] * sqrt(d) *
           (1.5 * v * (1 + par[LOSS] * root) + d * par[LOSS] * acceleration / (3 * root * root));
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "root-of-rate",
    .title = "F = K d^(3/2) (1 + b d'^(1/3))",
    .source = "textbook",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .force_rate = force_rate,
};

EXPORT_LAW(law)
