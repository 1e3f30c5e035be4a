/* SPDX-License-Identifier: MIT */
/* Hunt and Crossley's law with pow() for any power and other names of the parameters. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, EXPONENT, CR };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m^power", "of the spring", "4.2e8", "(0, inf)"},
    [EXPONENT] = {"power", "1", "of the indentation", "1.4", "[1, 3]"},
    [CR] = {"CR", "1", "coefficient of restitution", "0.65", "[0, 1]"},
};

static double remember(double v0, const double *par)
{
    return 3 * (1 - par[CR]) / (2 * v0);
}

static double force(double d, double v, double memory, const double *par)
{
    const double elastic = par[STIFFNESS] * pow(fmax(d, 0), par[EXPONENT]);
    return elastic + elastic * memory * v;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    if (d <= 0) return 0;
    const double elastic = par[STIFFNESS] * pow(d, par[EXPONENT]);
    return elastic * (par[EXPONENT] * v / d * (1 + memory * v) + memory * acceleration);
}

static double stored_energy(double d, const double *par)
{
    return par[STIFFNESS] * pow(fmax(d, 0), par[EXPONENT] + 1) / (par[EXPONENT] + 1);
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "hunt-crossley",
    .title = "F = K d^n (1 + a d'/v0)",
    .source = "Hunt & Crossley 1975",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .remember = remember,
    .memory_unit = "s/m",
    .force_rate = force_rate,
    .stored_energy = stored_energy,
};

EXPORT_LAW(law)
