/* SPDX-License-Identifier: MIT */
/**
 * A linear spring and dashpot in parallel, F = k d + c d', under the four conditions for contact of
 * Jonsson, Bathelt & Broman 2005.
 *
 * A free impact of the mass m, with zeta = c/(2 sqrt(k m)) and z = sqrt(1 - zeta^2):
 *
 *     A  d from 0 to 0      e = exp(-pi zeta/z); 0 for zeta >= 1: no rebound. F starts at c v0, and pulls at the end.
 *     B  F from 0 to 0      the same e; contact begins above the surface, where the spring, extended by c v0/k, holds
 *                           energy that was never supplied
 *     C  d = 0 to F = 0     e = exp(-2 zeta/z arccos(zeta)); F starts at c v0, and never pulls
 *     D  as C, but on a surface that recovers by k x_f + c x_f' = 0; the first impact is the same as under C
 *
 * (C for zeta > 1: arcosh(zeta)/sqrt(zeta^2 - 1) in place of arccos(zeta)/z; e^-2 for zeta = 1.)
 * The result for A is often used as the formula c = 2 zeta sqrt(k m), zeta = -ln e/sqrt(pi^2 + ln^2
 * e).
 */
#include "cases/laws/laws.h"

enum { K, C };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "1e6", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "100", "[0, inf)"},
};

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return par[K] * d + par[C] * v;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)d, (void)memory;
    return par[K] * v + par[C] * acceleration;
}

static double stored_energy(double d, const double *par)
{
    return 0.5 * par[K] * d * d;
}

static double rising(double d, double v, double m, double memory, const double *par)
{
    return force_rate(d, v, -force(d, v, memory, par) / m, memory, par);
}

static double rising_rate(double d, double v, double m, double memory, const double *par)
{
    return -(par[K] * force(d, v, memory, par) + par[C] * rising(d, v, m, memory, par)) / m;
}

/* F = 0 */
static double zero_force_depth(double v, const double *par)
{
    return -par[C] * v / par[K];
}

#define LINEAR_LAW(symbol_, name_, title_, ...)                                                                \
    const ic_law ic_law_##symbol_ = {IC_ABI(ic_law),                                                           \
                                     .name = (name_),                                                          \
                                     .title = (title_),                                                        \
                                     .source = "Jonsson, Bathelt & Broman 2005, section 2; Goldsmith 1960",    \
                                     IC_LAW_PARTS(parameters, ),                                               \
                                     .stiffness = "k",                                                         \
                                     .power = "1",                                                             \
                                     .dashpot = "c",                                                           \
                                     __VA_ARGS__}

LINEAR_LAW(kelvin_voigt, "kelvin-voigt", "F = k d + c d' while d > 0", .condition = IC_CONDITION_A,
           .promises = IC_LAW_ONLY_LOSES);
LINEAR_LAW(kelvin_voigt_b, "kelvin-voigt-B", "F = k d + c d' while F > 0, above the surface too",
           .condition = IC_CONDITION_B, .reach = zero_force_depth,
           .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION);
LINEAR_LAW(kelvin_voigt_c, "kelvin-voigt-C", "F = k d + c d' from d = 0 until F = 0",
           .condition = IC_CONDITION_C, .promises = IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES);
LINEAR_LAW(kelvin_voigt_d, "kelvin-voigt-D", "F = k d + c d' from a surface that recovers until F = 0",
           .condition = IC_CONDITION_D, .promises = IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES);
