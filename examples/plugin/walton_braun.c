/* SPDX-License-Identifier: MIT */
/*
 * A plugin for `impactcheck audit --plugin`: Walton and Braun's law, whose force depends on the greatest depth D of the
 * contact. Build and audit it by
 *
 *     cc -shared -fPIC -Iinclude examples/plugin/walton_braun.c -o /tmp/walton_braun.so -lm
 *     build/impactcheck audit --plugin /tmp/walton_braun.so
 *
 *     F = k d                           where d is the greatest depth so far,
 *     F = max(0, k/e^2 (d - (1 - e^2) D))   where it is not.
 *
 * D is the memory of the contact, which the caller keeps: it begins with 0, and `update` is called for each state that
 * the caller accepts. The law itself keeps nothing.
 */
#include "impactcheck/impactcheck.h"

#include <math.h>

enum { K, E };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness in loading", "1e6", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution, the root of both stiffnesses", "0.7", "(0, 1]"},
};

static double update(double memory, double d, double v, const double *par)
{
    (void)v, (void)par;
    return fmax(memory, d);
}

/* The force at d is the same before and after d is noted: a new greatest depth is D already. */
static double force(double d, double v, double memory, const double *par)
{
    const double D = update(memory, d, v, par), square = par[E] * par[E];
    if (d <= 0) return 0;
    return fmax(0, par[K] / square * (d - (1 - square) * D));
}

static const ic_law law = {
    IC_ABI(ic_law),
    .name = "walton-braun",
    .title = "F = k d in loading, k/e^2 (d - (1 - e^2) D) in unloading from the depth D",
    .source = "Walton & Braun 1986",
    .parameters = parameters,
    .n_parameters = sizeof parameters / sizeof parameters[0],
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C_STAR,
    .memory_unit = "m",
    .update = update,
    .force = force,
    .restitution = "e",
    .implements = "own", /* no registered law has a history */
};

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_law *const laws[] = {&law};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "walton-braun", .laws = laws, .n_laws = 1};
    return &plugin;
}
