/* SPDX-License-Identifier: MIT */
/*
 * Hertz's force up to the greatest depth D, steeper below it, with a drag: F = K D^n ((d - r D)/((1 - r) D))^n (1 + b v),
 * and the rate of the force. The memory is -D, which begins with -0 as remember() says.
 */
#include "tests/plugins/faulty/export.h"

#include <math.h>

enum { STIFFNESS, LEFT, DRAG };

static const ic_parameter parameters[] = {
    [STIFFNESS] = {"K", "N/m^(3/2)", "in loading", "1e9", "(0, inf)"},
    [LEFT] = {"r", "1", "part of the depth that is left", "0.3", "[0, 0.9]"},
    [DRAG] = {"b", "s/m", "drag over force", "0.01", "[0, 0.02]"},
};

LAW_FUNCTION(remember, v0, -0.)

static double update(double memory, double d, double v, const double *par)
{
    (void)v, (void)par;
    return d > -memory ? -d : memory;
}

static double spring(double d, double memory, const double *par)
{
    const double deepest = -update(memory, d, 0, par), rest = par[LEFT] * deepest;
    if (d <= 0 || d <= rest) return 0;
    return par[STIFFNESS] * pow(deepest, 1.5) * pow((d - rest) / (deepest - rest), 1.5);
}

FORCE(spring(d, memory, par) * (1 + par[DRAG] * v))

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    const double f = spring(d, memory, par), rest = d < -memory ? par[LEFT] * -memory : 0;
    if (f <= 0) return 0;
    return 1.5 * f / (d - rest) * v * (1 + par[DRAG] * v) + f * par[DRAG] * acceleration;
}

LAW("plastic-hertz", "Hertz in loading, steeper in unloading", "textbook", ONSET | LOSES, IC_CONDITION_A,
    .remember = remember, .memory_unit = "m", .update = update, .force_rate = force_rate, .implements = "own")
