/* SPDX-License-Identifier: MIT */
/* Damping like the cube root of the rate: steep at the turning point of the contact, but without
   a jump. */
#include "tests/plugins/faulty/export.h"

enum { SPRING, LOSS };
static const ic_parameter parameters[] = {
    [SPRING] = {"spring", "N/m^(3/2)", "stiffness", "1e9", "(0, inf)"},
    [LOSS] = {"loss", "(s/m)^(1/3)", "damping over the elastic force", "0.2", "[0, inf)"},
};

FORCE(d > 0 ? par[SPRING] * pow(d, 1.5) * (1 + par[LOSS] * cbrt(v)) : 0)
FORCE_RATE(d <= 0 ? 0
                  : par[SPRING] * sqrt(d) *
                        (1.5 * v * (1 + par[LOSS] * cbrt(v)) +
                         d * par[LOSS] * acceleration / (3 * cbrt(v) * cbrt(v))))
LAW("root-of-rate", "F = K d^(3/2) (1 + b d'^(1/3))", "textbook", ONSET | LOSES, IC_CONDITION_A,
    .force_rate = force_rate)
