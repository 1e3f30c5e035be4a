/* SPDX-License-Identifier: MIT */
/**
 * The elasto-gap of the Modelica Standard Library, a linear spring with a dashpot whose force never exceeds the
 * spring's:
 *
 *     F = k d + f,   f = c d' limited to -k d <= f <= k d,   for d > 0,
 *
 * so that the force begins at 0 and does not pull. In loading F = 2 k d up to the depth c d'/k, where F has a kink;
 * then F = k d + c d'. Where that would be negative there is no force until d = 0: condition C*, under which the lower
 * limit is the end of the force.
 */
#include "cases/laws/laws.h"

#include <stdbool.h>

enum { K, C };

static const ic_parameter parameters[] = {
    [K] = {"k", "N/m", "stiffness", "1e6", "(0, inf)"},
    [C] = {"c", "N s/m", "damping", "100", "[0, inf)"},
};

/* Whether the dashpot's force is limited to the spring's. */
static bool is_limited(double d, double v, const double *par)
{
    return par[C] * v > par[K] * d;
}

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    if (!(d > 0)) return 0;
    return is_limited(d, v, par) ? 2 * par[K] * d : par[K] * d + par[C] * v;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    if (!(d > 0)) return 0;
    return is_limited(d, v, par) ? 2 * par[K] * v : par[K] * v + par[C] * acceleration;
}

static double stored_energy(double d, const double *par)
{
    return d > 0 ? 0.5 * par[K] * d * d : 0;
}

static double rising(double d, double v, double m, double memory, const double *par)
{
    if (is_limited(d, v, par)) return 2 * par[K] * v;
    return par[K] * v - par[C] * force(d, v, memory, par) / m;
}

static double rising_rate(double d, double v, double m, double memory, const double *par)
{
    const double a = -force(d, v, memory, par) / m;
    if (is_limited(d, v, par)) return 2 * par[K] * a;
    return par[K] * a - par[C] * force_rate(d, v, a, memory, par) / m;
}

/* The smaller of 2 k d and k d + c v has the sign of the second, since the first is not negative. */
static double pushing(double d, double v, double memory, const double *par)
{
    (void)memory;
    return par[K] * d + par[C] * v;
}

static double pushing_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)d, (void)memory;
    return par[K] * v + par[C] * acceleration;
}

static double kink(double v, const double *par)
{
    return par[C] * v / par[K];
}

static double kink_rate(double v, double acceleration, const double *par)
{
    (void)v;
    return par[C] * acceleration / par[K];
}

#define LIMITED(limited_, free_) "where(d < c*v/k, " limited_ ", " free_ ")"

const ic_law ic_law_elasto_gap = {
    IC_ABI(ic_law),
    .name = "elasto-gap",
    .title = "F = k d + c d', c d' limited to the force of the spring",
    .source = "Modelica Standard Library, Mechanics.Translational.Components.ElastoGap",
    .basis = "the library's own equations, with its default exponent 1",
    IC_LAW_PARTS(parameters, ),
    .promises = IC_LAW_ALL_PROMISES,
    .condition = IC_CONDITION_C_STAR,
    .pushing = pushing,
    .pushing_rate = pushing_rate,
    .kink = kink,
    .kink_rate = kink_rate,
    .force_text = LIMITED("2*k*max(d, 0)", "where(d > 0, k*d + c*v, 0)"),
    .pushing_text = "k*d + c*v",
    .rising_text = LIMITED("2*k*v", "k*v - c*where(d > 0, k*d + c*v, 0)/m"),
    .kink_text = "c*v/k",
};
