/* SPDX-License-Identifier: MIT */
/* Tsuji's law for bodies of 1 kg, with the damping alpha itself in place of a restitution. */
#include "tests/plugins/faulty/export.h"

enum { STIFFNESS, ALPHA };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"K", "N/m^1.5", "stiffness", "1e8", "(0, inf)"},
    [ALPHA] = {"alpha", "kg^(1/2)", "damping", "0.2", "[0, 1]"},
};

FORCE(d <= 0 ? 0 : par[STIFFNESS] * d * sqrt(d) + par[ALPHA] * sqrt(par[STIFFNESS] * sqrt(d)) * v)
LAW("tsuji", "F = K d^1.5 + alpha sqrt(K) d^(1/4) v", "Tsuji, Tanaka & Ishida 1992", ONSET | LOSES,
    IC_CONDITION_A)
