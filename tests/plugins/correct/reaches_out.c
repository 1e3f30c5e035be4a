/* SPDX-License-Identifier: MIT */
/* A spring and dashpot under condition B: contact begins above the surface, where the dashpot
   pushes. */
#include "tests/plugins/faulty/export.h"

enum { SPRING, DASHPOT };
static const ic_parameter parameters[] = {
    [SPRING] = {"k", "N/m", "of the spring", "4e5", "(0, inf)"},
    [DASHPOT] = {"c", "N s/m", "of the dashpot", "250", "[0, inf)"},
};

FORCE(fmax(0, par[SPRING] * d + par[DASHPOT] * v))
FORCE_RATE(force(d, v, memory, par) > 0 ? par[SPRING] * v + par[DASHPOT] * acceleration : 0)
LAW_FUNCTION(reach, v, -par[DASHPOT] * v / par[SPRING])
LAW("reaches-out", "F = k d + c d' where that pushes", "Jonsson, Bathelt & Broman 2005", ONSET | PUSHES,
    IC_CONDITION_B, .force_rate = force_rate, .reach = reach)
