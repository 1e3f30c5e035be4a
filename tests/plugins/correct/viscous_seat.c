/* SPDX-License-Identifier: MIT */
/* A spring and dashpot so viscous that the body stops at once and creeps back. */
#include "impactcheck/impactcheck.h"

enum { K, C };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "100", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1e6", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return par[K] * d + par[C] * v;
}

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_law one = {
        IC_ABI(ic_law),
        .name = "kelvin-voigt",
        .title = "F = k d + c d'",
        .source = "Jonsson, Bathelt & Broman 2005",
        .parameters = parameters,
        .n_parameters = IC_COUNT(parameters),
        .promises = IC_LAW_ONLY_LOSES,
        .condition = IC_CONDITION_A,
        .force = force,
    };
    static const ic_law *const laws[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "viscous_seat", .laws = laws,
                                     .n_laws = IC_COUNT(laws)};
    return &plugin;
}
