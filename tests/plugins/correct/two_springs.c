/* SPDX-License-Identifier: MIT */
/* A second spring that begins at a depth: a kink, which the law states. */
#include "tests/plugins/faulty/export.h"

enum { FIRST, SECOND, KNEE };
static const ic_parameter parameters[] = {
    [FIRST] = {"k_1", "N/m", "of the first spring", "1e6", "(0, inf)"},
    [SECOND] = {"k_2", "N/m", "of the second", "3e6", "(0, inf)"},
    [KNEE] = {"d_2", "m", "where the second begins", "2e-4", "(0, inf)"},
};

FORCE(par[FIRST] * fmax(0, d) + par[SECOND] * fmax(0, d - par[KNEE]))
FORCE_RATE(d <= 0 ? 0 : (par[FIRST] + (d > par[KNEE] ? par[SECOND] : 0)) * v)
LAW_FUNCTION(kink, v, par[KNEE])
LAW("two-springs", "F = k_1 d, and k_2 (d - d_2) more beyond d_2", "textbook", ONSET | PUSHES | LOSES,
    IC_CONDITION_A, .force_rate = force_rate, .kink = kink)
