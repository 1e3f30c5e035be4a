/* SPDX-License-Identifier: MIT */
/* F = K d^n + C d d'/v0: the drag is far greater than the spring of shallow contacts. */
#include "tests/plugins/faulty/export.h"

enum { K, N, C };
static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C] = {"C", "N/m", "drag per depth, at the speed of the impact", "3e9", "[0, inf)"},
};

LAW_FUNCTION(remember, v0, par[C] / v0)
FORCE(d > 0 ? par[K] * pow(d, par[N]) + memory * d * v : 0)
LAW("mixed-damping", "F = K d^n + C d d'/v0", "own", ONSET | LOSES, IC_CONDITION_C_STAR, .remember = remember,
    .memory_unit = "N s/m^2")
