/* SPDX-License-Identifier: MIT */
/* A spring and dashpot whose force jumps at the touch and ends at d = 0, with its restitution as a text. */
#include "tests/plugins/faulty/export.h"

enum { STIFFNESS, DAMPING };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m", "of the spring", "2e5", "(0, inf)"},
    [DAMPING] = {"damping", "N s/m", "of the dashpot", "150", "[0, 300]"},
};

FORCE(d > 0 ? par[STIFFNESS] * d + par[DAMPING] * v : 0)
LAW("dem-dashpot", "F = k d + c d' for d > 0", "Cundall & Strack 1979", LOSES, IC_CONDITION_A,
    .restitution = "exp(-pi*damping/sqrt(4*stiffness - damping^2))")
