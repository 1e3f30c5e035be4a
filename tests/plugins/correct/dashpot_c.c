/* SPDX-License-Identifier: MIT */
/* A linear spring and dashpot whose contact ends at zero force; the damping is given over the
   critical one of 1 kg. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, ZETA };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m", "of the spring", "2e5", "(0, inf)"},
    [ZETA] = {"zeta", "1", "damping over the critical one of 1 kg", "0.2", "[0, inf)"},
};

static double dashpot(const double *par)
{
    return 2 * par[ZETA] * sqrt(par[STIFFNESS]);
}

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return par[STIFFNESS] * d + dashpot(par) * v;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)d, (void)memory;
    return par[STIFFNESS] * v + dashpot(par) * acceleration;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "kelvin-voigt-C",
    .title = "F = k d + c d'",
    .source = "textbook",
    .promises = IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C,
    .force_rate = force_rate,
};

EXPORT_LAW(law)
