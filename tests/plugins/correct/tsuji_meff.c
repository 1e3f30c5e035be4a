/* SPDX-License-Identifier: MIT */
/* Tsuji's law as codes for grains write it: 2 sqrt(5/6) beta sqrt(S m), S the slope of Hertz's force with 3/2 left out. */
#include "tests/plugins/faulty/export.h"

enum { STIFFNESS, MASS, CR };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"kn", "N/m^(3/2)", "4/3 E* sqrt(R)", "2e9", "(0, inf)"},
    [MASS] = {"meff", "kg", "m_1 m_2/(m_1 + m_2)", "0.02", "(0, inf)"},
    [CR] = {"cor", "1", "coefficient of restitution", "0.6", "(0, 1]"},
};

LAW_FUNCTION(beta, loss, -loss / sqrt(loss * loss + M_PI * M_PI))
LAW_FUNCTION(slope, d, 1.5 * par[STIFFNESS] * sqrt(d))
FORCE(d <= 0 ? 0
             : par[STIFFNESS] * pow(d, 1.5) +
                   2 * sqrt(5. / 6) * beta(log(par[CR]), par) * sqrt(slope(d, par) * par[MASS]) * v)
LAW("tsuji", "Hertz with damping for a constant restitution", "Tsuji, Tanaka & Ishida 1992", ONSET | LOSES,
    IC_CONDITION_A, .restitution = "cor")
