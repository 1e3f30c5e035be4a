/* SPDX-License-Identifier: MIT */
/* A memory that does not depend on the speed of the impact, of a damping that is a parameter. */
#include "tests/plugins/faulty/export.h"

enum { STIFFNESS, RATIO };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m^1.5", "of the contact", "2e8", "(0, inf)"},
    [RATIO] = {"eps", "1", "coefficient of restitution of slow impacts", "0.7", "(0, 1]"},
};

LAW_FUNCTION(remember, v0, 1.5 * (1 - par[RATIO]))
FORCE(d > 0 ? par[STIFFNESS] * d * sqrt(d) * fmax(0, 1 + memory * v / (1 + fabs(v))) : 0)
LAW("by-ratio", "Hertz, with a drag that saturates", "textbook", ONSET | PUSHES | LOSES, IC_CONDITION_A,
    .remember = remember, .memory_unit = "1")
