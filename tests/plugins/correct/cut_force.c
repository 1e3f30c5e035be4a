/* SPDX-License-Identifier: MIT */
/* Lee and Wang's first law, whose force is cut at 0 as its condition says; and no function but the force. */
#include "tests/plugins/faulty/export.h"

enum { K, N, C_1 };
static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e9", "(0, inf)"},
    [N] = {"n", "1", "power", "3/2", "[1, 3]"},
    [C_1] = {"C_1", "N s/m^2", "damping", "1e6", "[0, inf)"},
};

FORCE(d > 0 ? fmax(0, par[K] * pow(d, par[N]) + par[C_1] * d * v) : 0)
LAW("lee-wang-1", "F = max(0, K d^n + C_1 d d')", "Lee & Wang 1983", ONSET | PUSHES | LOSES,
    IC_CONDITION_C_STAR)
