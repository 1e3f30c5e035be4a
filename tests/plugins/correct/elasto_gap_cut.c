/* SPDX-License-Identifier: MIT */
/* The elasto-gap as its library writes it, both limits in the force and no kink declared. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { SPRING, DAMPER };

static const ic_parameter parameters[] = {
    [SPRING] = {"k", "N/m", "spring", "4e5", "(0, inf)"},
    [DAMPER] = {"c", "N s/m", "damper", "250", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    const double spring = par[SPRING] * fmax(d, 0);
    (void)memory;
    return spring + fmax(-spring, fmin(spring, par[DAMPER] * v));
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "elasto-gap",
    .title = "spring and damper, whose force is limited to that of the spring",
    .source = "Modelica Standard Library",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C_STAR,
};

EXPORT_LAW(law)
