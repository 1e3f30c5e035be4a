/* SPDX-License-Identifier: MIT */
/* Walton and Braun's law with the greatest depth D as its memory; a file redefines one macro, its mistake. */
#pragma once

#include "tests/plugins/faulty/export.h"

#include <math.h>

#ifndef REMEMBER
#define REMEMBER() 0
#endif
#ifndef UPDATE
#define UPDATE(memory, d) fmax(memory, d)
#endif
#ifndef UNLOADING /* at the depth d after the depth D */
#define UNLOADING(d, D, par) ((par)[K_2] * ((d) - (1 - (par)[K_1] / (par)[K_2]) * (D)))
#endif

enum { K_1, K_2 };

static const ic_parameter parameters[] = {
    [K_1] = {"k_1", "N/m", "stiffness in loading", "1e6", "(0, inf)"},
    [K_2] = {"k_2", "N/m", "stiffness in unloading", "3e6", "(0, inf)"},
};

static const ic_requirement stiffer[] = {{"k_2 - k_1*(1 - 1e-12)", "unloading is not softer than loading"}};

LAW_FUNCTION(remember, v0, REMEMBER())

static double update(double memory, double d, double v, const double *par)
{
    (void)v, (void)par;
    return UPDATE(memory, d);
}

static double force(double d, double v, double memory, const double *par)
{
    (void)v;
    if (d <= 0) return 0;
    return d >= memory ? par[K_1] * d : fmax(0, UNLOADING(d, memory, par));
}

LAW("walton-braun", "for tests", "Walton & Braun 1986", ONSET | PUSHES | LOSES, IC_CONDITION_C_STAR,
    .requirements = stiffer, .n_requirements = IC_COUNT(stiffer), .remember = remember, .memory_unit = "m",
    .update = update)
