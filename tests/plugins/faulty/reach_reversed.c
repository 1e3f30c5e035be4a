/* SPDX-License-Identifier: MIT */
/* A spring and dashpot whose contact is said to begin below the surface, where it begins above. */
#include "tests/plugins/faulty/export.h"

enum { K, C };
static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "1e6", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1500", "[0, inf)"},
};

FORCE(fmax(0, par[K] * d + par[C] * v))
LAW_FUNCTION(reach, v, par[C] * v / par[K])
LAW("kelvin-voigt-B", "F = k d + c d'", "Jonsson, Bathelt & Broman 2005", ONSET | PUSHES, IC_CONDITION_B,
    .reach = reach)
