/* SPDX-License-Identifier: MIT */
/* A spring and dashpot whose contact begins above the surface, where this one does nothing. */
#include "tests/plugins/faulty/export.h"

enum { K, C };
static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "1e6", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1500", "[0, inf)"},
};

FORCE(d >= 0 ? fmax(0, par[K] * d + par[C] * v) : 0)
LAW_FUNCTION(reach, v, -par[C] * v / par[K])
LAW("kelvin-voigt-B", "F = k d + c d'", "Jonsson, Bathelt & Broman 2005", ONSET | PUSHES, IC_CONDITION_B,
    .reach = reach)
