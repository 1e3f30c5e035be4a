/* SPDX-License-Identifier: MIT */
/* A dashpot like d^(1/4), steep at the onset but without a jump, with a force that is cut at 0
   (Tsuji, Tanaka & Ishida 1992). */
#include "tests/plugins/faulty/export.h"

enum { SPRING, ETA };
static const ic_parameter parameters[] = {
    [SPRING] = {"stiffness", "N/m^(3/2)", "of the spring", "1e9", "(0, inf)"},
    [ETA] = {"eta", "N s/m^(5/4)", "of the dashpot", "3e3", "[0, inf)"},
};

FORCE(d > 0 ? fmax(0, par[SPRING] * pow(d, 1.5) + par[ETA] * pow(d, 0.25) * v) : 0)
FORCE_RATE(!(force(d, v, memory, par) > 0)
               ? 0
               : 1.5 * par[SPRING] * sqrt(d) * v +
                     par[ETA] * (0.25 * pow(d, -0.75) * v * v + pow(d, 0.25) * acceleration))
LAW("quarter-power", "F = K d^(3/2) + eta d^(1/4) d', at least 0", "Tsuji, Tanaka & Ishida 1992",
    ONSET | PUSHES | LOSES, IC_CONDITION_C_STAR, .force_rate = force_rate)
