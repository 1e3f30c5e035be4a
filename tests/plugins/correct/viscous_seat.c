/* SPDX-License-Identifier: MIT */
/* A spring and dashpot so viscous that the body stops at once and creeps back. */
#include "tests/plugins/faulty/export.h"

enum { K, C };
static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "100", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1e6", "[0, inf)"},
};

FORCE(par[K] * d + par[C] * v)
LAW("kelvin-voigt", "F = k d + c d'", "Jonsson, Bathelt & Broman 2005", LOSES, IC_CONDITION_A)
