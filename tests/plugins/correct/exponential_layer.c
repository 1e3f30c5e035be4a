/* SPDX-License-Identifier: MIT */
/* A soft layer that stiffens exponentially, by a force and a length of its own. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { SCALE, LENGTH };

static const ic_parameter parameters[] = {
    [SCALE] = {"F_s", "N", "scale of the force", "50", "(0, inf)"},
    [LENGTH] = {"lambda", "m", "length over which it stiffens", "1e-4", "(0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)v, (void)memory;
    return d > 0 ? par[SCALE] * expm1(d / par[LENGTH]) : 0;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)acceleration, (void)memory;
    return d > 0 ? par[SCALE] / par[LENGTH] * exp(d / par[LENGTH]) * v : 0;
}

static double stored_energy(double d, const double *par)
{
    const double x = d / par[LENGTH];
    return d > 0 ? par[SCALE] * par[LENGTH] * (expm1(x) - x) : 0;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "exponential-layer",
    .title = "F = F_s (exp(d/lambda) - 1)",
    .source = "textbook",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .force_rate = force_rate,
    .stored_energy = stored_energy,
};

EXPORT_LAW(law)
