/* SPDX-License-Identifier: MIT */
/* A spring and dashpot whose contact begins above the surface, where this one does nothing. */
#include "impactcheck/impactcheck.h"

enum { K, C };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "1e6", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "1500", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    const double force = par[K] * d + par[C] * v;
    return d >= 0 && force > 0 ? force : 0;
}

static double reach(double v, const double *par)
{
    return -par[C] * v / par[K];
}

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_law one = {
        IC_ABI(ic_law),
        .name = "kelvin-voigt-B",
        .title = "F = k d + c d'",
        .source = "Jonsson, Bathelt & Broman 2005",
        .parameters = parameters,
        .n_parameters = IC_COUNT(parameters),
        .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION,
        .condition = IC_CONDITION_B,
        .force = force,
        .reach = reach,
    };
    static const ic_law *const laws[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "nothing_above_surface", .laws = laws,
                                     .n_laws = IC_COUNT(laws)};
    return &plugin;
}
