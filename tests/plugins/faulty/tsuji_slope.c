/* SPDX-License-Identifier: MIT */
/* Tsuji's law by the slope of the force, 2 sqrt(5/6) beta sqrt(S m), with K sqrt(d) for the slope 3/2 K sqrt(d). */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, MASS, E };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"K", "N/m^(3/2)", "4/3 E* sqrt(R)", "2e9", "(0, inf)"},
    [MASS] = {"meff", "kg", "m_1 m_2/(m_1 + m_2)", "0.02", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "0.6", "(0, 1]"},
};

static double force(double d, double v, double memory, const double *par)
{
    const double loss = log(par[E]), beta = -loss / sqrt(loss * loss + M_PI * M_PI);
    (void)memory;
    if (d <= 0) return 0;
    return par[STIFFNESS] * pow(d, 1.5) +
           2 * sqrt(5. / 6) * beta * sqrt(par[STIFFNESS] * sqrt(d) * par[MASS]) * v;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "tsuji",
    .title = "for tests",
    .source = "Tsuji, Tanaka & Ishida 1992",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .restitution = "e",
};

EXPORT_LAW(law)
