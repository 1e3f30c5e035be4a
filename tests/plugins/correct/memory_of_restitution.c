/* SPDX-License-Identifier: MIT */
/* A memory that does not depend on the speed of the impact, of a damping that is a parameter. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, RATIO };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m^1.5", "of the contact", "2e8", "(0, inf)"},
    [RATIO] = {"eps", "1", "coefficient of restitution of slow impacts", "0.7", "(0, 1]"},
};

static double remember(double v0, const double *par)
{
    (void)v0;
    return 1.5 * (1 - par[RATIO]);
}

static double force(double d, double v, double memory, const double *par)
{
    return d > 0 ? par[STIFFNESS] * d * sqrt(d) * fmax(0, 1 + memory * v / (1 + fabs(v))) : 0;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "by-ratio",
    .title = "Hertz, with a drag that saturates",
    .source = "textbook",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .remember = remember,
    .memory_unit = "1",
};

EXPORT_LAW(law)
