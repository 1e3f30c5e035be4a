/* SPDX-License-Identifier: MIT */
/* A dashpot like d^(1/4), steep at the onset but without a jump, with a force that is cut at 0
   (Tsuji, Tanaka & Ishida 1992). */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { SPRING, ETA };

static const ic_parameter parameters[] = {
    [SPRING] = {"stiffness", "N/m^(3/2)", "of the spring", "1e9", "(0, inf)"},
    [ETA] = {"eta", "N s/m^(5/4)", "of the dashpot", "3e3", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return d > 0 ? fmax(0, par[SPRING] * pow(d, 1.5) + par[ETA] * pow(d, 0.25) * v) : 0;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    if (!(force(d, v, memory, par) > 0)) return 0;
    return 1.5 * par[SPRING] * sqrt(d) * v +
           par[ETA] * (0.25 * pow(d, -0.75) * v * v + pow(d, 0.25) * acceleration);
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "quarter-power",
    .title = "F = K d^(3/2) + eta d^(1/4) d', at least 0",
    .source = "Tsuji, Tanaka & Ishida 1992",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C_STAR,
    .force_rate = force_rate,
};

EXPORT_LAW(law)
