/* SPDX-License-Identifier: MIT */
/* A linear spring and dashpot whose contact ends at zero force; the damping is given over the
   critical one of 1 kg. */
#include "tests/plugins/faulty/export.h"

enum { STIFFNESS, ZETA };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m", "of the spring", "2e5", "(0, inf)"},
    [ZETA] = {"zeta", "1", "damping over the critical one of 1 kg", "0.2", "[0, inf)"},
};

FORCE(par[STIFFNESS] * d + 2 * par[ZETA] * sqrt(par[STIFFNESS]) * v)
FORCE_RATE(par[STIFFNESS] * v + 2 * par[ZETA] * sqrt(par[STIFFNESS]) * acceleration)
LAW("kelvin-voigt-C", "F = k d + c d'", "textbook", PUSHES | LOSES, IC_CONDITION_C, .force_rate = force_rate)
