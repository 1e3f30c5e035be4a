/* SPDX-License-Identifier: MIT */
/**
 * Tsuji's law, which codes for grains use: Hertz's force with a damping whose effect does not depend on the speed,
 *
 *     F = K d^n + alpha sqrt(m_eff K) d^((n - 1)/2) d',
 *
 * for n = 3/2 alpha sqrt(m_eff K) d^(1/4) d'. In a free impact of the mass m_eff, y = 2/(n + 1) d^((n + 1)/2) has
 * dy = d^((n - 1)/2) dd, so that
 *
 *     v dv/dy = -K/m_eff (n + 1)/2 y - alpha sqrt(K/m_eff) v:
 *
 * speed over y is that of a linear spring with a dashpot. Hence, exactly, from d = 0 to d = 0,
 *
 *     e = exp(-pi alpha/sqrt(2 (n + 1) - alpha^2)),   alpha = sqrt(2 (n + 1)) L/sqrt(pi^2 + L^2),   L = -ln e;
 *
 * for n = 3/2, e = exp(-pi alpha/sqrt(5 - alpha^2)). As with that dashpot, the contact pulls at the end of every
 * impact. The force begins at 0, but like d^((n - 1)/2): its rate is infinite there.
 */
#include "cases/laws/laws.h"

#include <math.h>

enum { K, N, M_EFF, E };

static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "(1, inf)"},
    [M_EFF] = {"m_eff", "kg", "effective mass of the two bodies, 1/(1/m_1 + 1/m_2)", "1", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "0.8", "(0, 1]"},
};

/* d^((n - 1)/2) and d^((n + 1)/2), without pow() for Hertz's power */
static double fade(double d, const double *par)
{
    if (!(d > 0)) return 0;
    return par[N] == 1.5 ? sqrt(sqrt(d)) : pow(d, 0.5 * (par[N] - 1));
}

static double stretch(double d, const double *par)
{
    return d > 0 ? d * fade(d, par) : 0;
}

/* K d^n */
static double spring(double d, const double *par)
{
    return par[K] * fade(d, par) * stretch(d, par);
}

/* alpha sqrt(m_eff K) */
static double damping(const double *par)
{
    const double loss = -log(par[E]);
    return sqrt(2 * (par[N] + 1) * par[M_EFF] * par[K]) * loss / hypot(M_PI, loss);
}

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return spring(d, par) + damping(par) * fade(d, par) * v;
}

/* d times the rate of the force */
static double rate_by_depth(double d, double v, double acceleration, const double *par)
{
    const double q = 0.5 * (par[N] - 1);
    return par[N] * spring(d, par) * v + damping(par) * fade(d, par) * (q * v * v + d * acceleration);
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    return d > 0 ? rate_by_depth(d, v, acceleration, par) / d : 0;
}

static double stored_energy(double d, const double *par)
{
    return spring(d, par) * d / (par[N] + 1);
}

/* F' d/d^((n - 1)/2): at the onset F' is infinite, and this is not */
static double rising(double d, double v, double m, double memory, const double *par)
{
    const double q = 0.5 * (par[N] - 1), positive = d > 0 ? d : 0;
    return par[N] * par[K] * stretch(d, par) * v +
           damping(par) * (q * v * v - positive * force(d, v, memory, par) / m);
}

static double rising_rate(double d, double v, double m, double memory, const double *par)
{
    const double q = 0.5 * (par[N] - 1), p = q + 1, a = -force(d, v, memory, par) / m;
    return par[N] * par[K] * (p * fade(d, par) * v * v + stretch(d, par) * a) +
           damping(par) * ((2 * q + 1) * v * a - rate_by_depth(d, v, a, par) / m);
}

/* F/d^((n - 1)/2) */
static double pushing(double d, double v, double memory, const double *par)
{
    (void)memory;
    return par[K] * stretch(d, par) + damping(par) * v;
}

static double pushing_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    return par[K] * 0.5 * (par[N] + 1) * fade(d, par) * v + damping(par) * acceleration;
}

#define DAMPING "sqrt(2*(n + 1)*m_eff*K)*log(1/e)/sqrt(pi^2 + log(e)^2)"
#define FORCE "K*max(d, 0)^n + " DAMPING "*max(d, 0)^((n - 1)/2)*v"

const ic_law ic_law_tsuji = {
    IC_ABI(ic_law),
    .name = "tsuji",
    .title = "F = K d^n + alpha sqrt(m_eff K) d^((n - 1)/2) d', e = exp(-pi alpha/sqrt(2 (n + 1) - alpha^2))",
    .source = "Tsuji, Tanaka & Ishida 1992",
    .basis =
        "the force as given by several public codes for grains; alpha(e), which the source gives as a curve, "
        "is derived: over d^((n + 1)/2) a free impact is that of a linear spring with a dashpot. LAMMPS (10 Sep 2025), "
        "damping tsuji, fits alpha(e) by a polynomial, and takes the particle's mass in place of m_eff: asked for 0.1, "
        "0.5 and 0.9 it returns 0.235, 0.616 and 0.928",
    IC_LAW_PARTS(parameters, ),
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .pushing = pushing,
    .pushing_rate = pushing_rate,
    .restitution = "e",
    .force_text = FORCE,
    .pushing_text = "K*max(d, 0)^((n + 1)/2) + " DAMPING "*v",
    .rising_text = "n*K*max(d, 0)^((n + 1)/2)*v + " DAMPING "*((n - 1)/2*v^2 - max(d, 0)*(" FORCE ")/m)",
};
