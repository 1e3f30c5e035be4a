/* SPDX-License-Identifier: MIT */
/* Hunt and Crossley's law with pow() for any power and other names of the parameters. */
#include "tests/plugins/faulty/export.h"

enum { STIFFNESS, EXPONENT, CR };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m^power", "of the spring", "4.2e8", "(0, inf)"},
    [EXPONENT] = {"power", "1", "of the indentation", "1.4", "[1, 3]"},
    [CR] = {"CR", "1", "coefficient of restitution", "0.65", "[0, 1]"},
};

LAW_FUNCTION(elastic, d, par[STIFFNESS] * pow(fmax(d, 0), par[EXPONENT]))
LAW_FUNCTION(remember, v0, 3 * (1 - par[CR]) / (2 * v0))
FORCE(elastic(d, par) * (1 + memory * v))
FORCE_RATE(d <= 0 ? 0 : elastic(d, par) * (par[EXPONENT] * v / d * (1 + memory * v) + memory * acceleration))
LAW_FUNCTION(stored_energy, d, par[STIFFNESS] * pow(fmax(d, 0), par[EXPONENT] + 1) / (par[EXPONENT] + 1))
LAW("hunt-crossley", "F = K d^n (1 + a d'/v0)", "Hunt & Crossley 1975", ONSET | PUSHES | LOSES, IC_CONDITION_A,
    .remember = remember, .memory_unit = "s/m", .force_rate = force_rate, .stored_energy = stored_energy)
