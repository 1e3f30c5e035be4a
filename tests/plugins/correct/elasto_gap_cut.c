/* SPDX-License-Identifier: MIT */
/* The elasto-gap as its library writes it, both limits in the force and no kink declared. */
#include "tests/plugins/faulty/export.h"

enum { SPRING, DAMPER };
static const ic_parameter parameters[] = {
    [SPRING] = {"k", "N/m", "spring", "4e5", "(0, inf)"},
    [DAMPER] = {"c", "N s/m", "damper", "250", "[0, inf)"},
};

LAW_FUNCTION(spring, d, par[SPRING] * fmax(d, 0))
FORCE(spring(d, par) + fmax(-spring(d, par), fmin(spring(d, par), par[DAMPER] * v)))
LAW("elasto-gap", "spring and damper, whose force is limited to that of the spring",
    "Modelica Standard Library", ONSET | PUSHES | LOSES, IC_CONDITION_C_STAR)
