/* SPDX-License-Identifier: MIT */
/*
 * Hunt and Crossley's law. It is right if a file redefines nothing. Each faulty plugin redefines
 * one macro, which is its mistake. TEXTS: fields of its closed form.
 */
#pragma once

#include "impactcheck/impactcheck.h"

#include <math.h>

#ifndef NAME
#define NAME "hunt-crossley"
#endif
#ifndef PROMISES
#define PROMISES (IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)
#endif
#ifndef REMEMBER
#define REMEMBER(v0, par) (1.5 * (1 - (par)[E]) / (v0))
#endif
#ifndef FORCE
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#endif
#ifndef CONDITION
#define CONDITION IC_CONDITION_A
#endif
#ifndef RATE_ACCELERATION /* the acceleration for which the rate of the force is computed */
#define RATE_ACCELERATION(a) (a)
#endif

enum { K, E };

static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^(3/2)", "stiffness", "1e9", "(0, inf)"},
    [E] = {"e", "1", "required coefficient of restitution", "0.7", "[0, 1]"},
};

static double remember(double v0, const double *par)
{
    (void)v0, (void)par;
    return REMEMBER(v0, par);
}

static double force(double d, double v, double memory, const double *par)
{
    (void)v, (void)memory, (void)par;
    return FORCE(d, v, memory, par);
}

/* by differences, which are right for every force */
static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    const double dt = 1e-6 * fabs(d) / (1 + fabs(v)), a = RATE_ACCELERATION(acceleration);
    return (force(d + v * dt, v + a * dt, memory, par) - force(d - v * dt, v - a * dt, memory, par)) / (2 * dt);
}

#ifdef STORED
static double stored_energy(double d, const double *par)
{
    return STORED(d, par);
}
#endif

#ifdef KINK
static double kink(double v, const double *par)
{
    (void)v, (void)par;
    return KINK(par);
}
#endif

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_law one = {
        IC_ABI(ic_law),
        .name = NAME,
        .title = "for tests",
        .source = "Hunt & Crossley 1975",
        .parameters = parameters,
        .n_parameters = IC_COUNT(parameters),
        .promises = PROMISES,
        .condition = CONDITION,
        .remember = remember,
        .memory_unit = "s/m",
        .force = force,
        .force_rate = force_rate,
#ifdef STORED
        .stored_energy = stored_energy,
#endif
#ifdef KINK
        .kink = kink,
#endif
#ifdef TEXTS
        TEXTS,
#endif
    };
    static const ic_law *const laws[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = NAME, .laws = laws, .n_laws = IC_COUNT(laws)};
    return &plugin;
}
