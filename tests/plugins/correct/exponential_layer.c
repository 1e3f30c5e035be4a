/* SPDX-License-Identifier: MIT */
/* A soft layer that stiffens exponentially, by a force and a length of its own. */
#include "tests/plugins/faulty/export.h"

enum { SCALE, LENGTH };
static const ic_parameter parameters[] = {
    [SCALE] = {"F_s", "N", "scale of the force", "50", "(0, inf)"},
    [LENGTH] = {"lambda", "m", "length over which it stiffens", "1e-4", "(0, inf)"},
};

FORCE(d > 0 ? par[SCALE] * expm1(d / par[LENGTH]) : 0)
FORCE_RATE(d > 0 ? par[SCALE] / par[LENGTH] * exp(d / par[LENGTH]) * v : 0)
LAW_FUNCTION(stored_energy, d,
             d > 0 ? par[SCALE] * par[LENGTH] * (expm1(d / par[LENGTH]) - d / par[LENGTH]) : 0)
LAW("exponential-layer", "F = F_s (exp(d/lambda) - 1)", "textbook", ONSET | PUSHES | LOSES, IC_CONDITION_A,
    .force_rate = force_rate, .stored_energy = stored_energy)
