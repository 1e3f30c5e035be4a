/* SPDX-License-Identifier: MIT */
/* A second spring that begins at a depth: a kink, which the law states. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { FIRST, SECOND, KNEE };

static const ic_parameter parameters[] = {
    [FIRST] = {"k_1", "N/m", "of the first spring", "1e6", "(0, inf)"},
    [SECOND] = {"k_2", "N/m", "of the second", "3e6", "(0, inf)"},
    [KNEE] = {"d_2", "m", "where the second begins", "2e-4", "(0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)v, (void)memory;
    return par[FIRST] * fmax(0, d) + par[SECOND] * fmax(0, d - par[KNEE]);
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)acceleration, (void)memory;
    return d <= 0 ? 0 : (par[FIRST] + (d > par[KNEE] ? par[SECOND] : 0)) * v;
}

static double kink(double v, const double *par)
{
    (void)v;
    return par[KNEE];
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "two-springs",
    .title = "F = k_1 d, and k_2 (d - d_2) more beyond d_2",
    .source = "textbook",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .force_rate = force_rate,
    .kink = kink,
};

EXPORT_LAW(law)
