/* SPDX-License-Identifier: MIT */
/* F = K d^n + C d d'/v0: the drag is far greater than the spring of shallow contacts. */
#include "impactcheck/impactcheck.h"

#include <math.h>

enum { K, N, C };

static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C] = {"C", "N/m", "drag per depth, at the speed of the impact", "3e9", "[0, inf)"},
};

static double remember(double v0, const double *par)
{
    return par[C] / v0;
}

static double force(double d, double v, double memory, const double *par)
{
    return d > 0 ? par[K] * pow(d, par[N]) + memory * d * v : 0;
}

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_law one = {
        IC_ABI(ic_law),
        .name = "mixed-damping",
        .title = "F = K d^n + C d d'/v0",
        .source = "own",
        .parameters = parameters,
        .n_parameters = IC_COUNT(parameters),
        .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
        .condition = IC_CONDITION_C_STAR,
        .remember = remember,
        .memory_unit = "N s/m^2",
        .force = force,
    };
    static const ic_law *const laws[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "mixed_damping", .laws = laws,
                                     .n_laws = IC_COUNT(laws)};
    return &plugin;
}
