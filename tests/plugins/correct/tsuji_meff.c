/* SPDX-License-Identifier: MIT */
/* Tsuji's law as codes for grains write it: 2 sqrt(5/6) beta sqrt(S m), S the slope of Hertz's force with 3/2 left out. */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, MASS, CR };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"kn", "N/m^(3/2)", "4/3 E* sqrt(R)", "2e9", "(0, inf)"},
    [MASS] = {"meff", "kg", "m_1 m_2/(m_1 + m_2)", "0.02", "(0, inf)"},
    [CR] = {"cor", "1", "coefficient of restitution", "0.6", "(0, 1]"},
};

static double force(double d, double v, double memory, const double *par)
{
    const double loss = log(par[CR]), beta = -loss / sqrt(loss * loss + M_PI * M_PI);
    (void)memory;
    if (d <= 0) return 0;
    return par[STIFFNESS] * pow(d, 1.5) +
           2 * sqrt(5. / 6) * beta * sqrt(1.5 * par[STIFFNESS] * sqrt(d) * par[MASS]) * v;
}

static const ic_law law = {
    LAW_OF(parameters, force),
    .name = "tsuji",
    .title = "Hertz with damping for a constant restitution",
    .source = "Tsuji, Tanaka & Ishida 1992",
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .restitution = "cor",
};

EXPORT_LAW(law)
