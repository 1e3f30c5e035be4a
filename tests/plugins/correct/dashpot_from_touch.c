/* SPDX-License-Identifier: MIT */
/* A spring and dashpot whose force jumps at the touch and ends at d = 0, with its restitution as a text. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, DAMPING };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m", "of the spring", "2e5", "(0, inf)"},
    [DAMPING] = {"damping", "N s/m", "of the dashpot", "150", "[0, 300]"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return d > 0 ? par[STIFFNESS] * d + par[DAMPING] * v : 0;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "dem-dashpot",
    .title = "F = k d + c d' for d > 0",
    .source = "Cundall & Strack 1979",
    .promises = IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .restitution = "exp(-pi*damping/sqrt(4*stiffness - damping^2))",
};

EXPORT_LAW(law)
