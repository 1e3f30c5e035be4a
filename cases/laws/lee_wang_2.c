/* SPDX-License-Identifier: MIT */
/**
 * Lee and Wang's second model: a dashpot that is faded in over a transition zone of the depth eps,
 *
 *     F = K d^n + C_2 T(d) d',   T = exp(2 Q (d - eps)/eps) for 0 < d < eps, 1 beyond, 0 for d <= 0,
 *
 * as Yigit, Ulsoy & Scott 1990 give it in Eqs. (10) to (14), with n = 3/2. Their Eq. (11) is 0/0 at d = 0; T(0+) = exp(-2 Q), so that
 * the force starts with C_2 exp(-2 Q) v0, small but not 0. T has a kink at eps.
 *
 * Where the contact would pull, the force is set to 0 (their Eq. (22)): contact ends before d = 0. It may begin again below the
 * surface, since T falls faster than d^n. There is no first integral. C_2 is meant to follow from a coefficient of restitution as
 * for a linear spring, C_2 = 2 zeta sqrt(k m), zeta = -ln e/sqrt(pi^2 + ln^2 e), which for n = 3/2 does not fit in its units.
 */
#include "cases/laws/laws.h"

#include <math.h>

enum { K, N, C_2, EPS, Q };

static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "3.2e9", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C_2] = {"C_2", "N s/m", "damping beyond the transition zone", "800", "[0, inf)"},
    [EPS] = {"eps", "m", "depth of the transition zone", "5e-6", "(0, inf)"},
    [Q] = {"Q", "1", "steepness of the transition", "3", "(0, inf)"},
};

/* T^(i), the i-th derivative, 1/m^i */
static double transition(double d, int i, const double *par)
{
    const double rate = 2 * par[Q] / par[EPS];
    if (!(d < par[EPS])) return i == 0 ? 1 : 0;
    return (i == 0 ? 1 : i == 1 ? rate : rate * rate) * exp(rate * (d - par[EPS]));
}

/* K d^n and its i-th derivative */
static double spring(double d, int i, const double *par)
{
    if (!(d > 0)) return 0;
    const double n = par[N], whole = par[K] * (n == 1.5 ? d * sqrt(d) : pow(d, n));
    return i == 0 ? whole : i == 1 ? n * whole / d : n * (n - 1) * whole / (d * d);
}

static double force(double d, double v, double memory, const double *par)
{
    (void)memory;
    return spring(d, 0, par) + par[C_2] * transition(d, 0, par) * v;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    return spring(d, 1, par) * v +
           par[C_2] * (transition(d, 1, par) * v * v + transition(d, 0, par) * acceleration);
}

static double stored_energy(double d, const double *par)
{
    return spring(d, 0, par) * d / (par[N] + 1);
}

static double rising(double d, double v, double m, double memory, const double *par)
{
    return force_rate(d, v, -force(d, v, memory, par) / m, memory, par);
}

static double rising_rate(double d, double v, double m, double memory, const double *par)
{
    const double acceleration = -force(d, v, memory, par) / m, jerk = -rising(d, v, m, memory, par) / m;
    return spring(d, 2, par) * v * v + spring(d, 1, par) * acceleration +
           par[C_2] * (transition(d, 2, par) * v * v * v + 3 * transition(d, 1, par) * v * acceleration +
                       transition(d, 0, par) * jerk);
}

static double kink(const double *par)
{
    return par[EPS];
}

const ic_law ic_law_lee_wang_2 = {
    IC_ABI(ic_law),
    .name = "lee-wang-2",
    .title = "F = K d^n + C_2 T(d) d', at least 0, with T rising to 1 over a transition zone",
    .source = "Lee & Wang 1983, second model",
    .basis = "Yigit, Ulsoy & Scott 1990, Eqs. (10) to (14) and (22)",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .promises = IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C_STAR,
    .force = force,
    .force_rate = force_rate,
    .stored_energy = stored_energy,
    .rising = rising,
    .rising_rate = rising_rate,
    .kink = kink,
};
