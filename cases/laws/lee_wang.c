/* SPDX-License-Identifier: MIT */
/**
 * Lee and Wang's two models, as given by Yigit, Ulsoy & Scott 1990 for a spring K d^n, n = 3/2:
 *
 *     first:   F = K d^n + C_1 d d'                                           (Eqs. 6, 7, 23)
 *     second:  F = K d^n + C_2 T(d) d',  T = exp(2 Q (d - eps)/eps) for 0 < d < eps, 1 beyond, 0 for d <= 0   (Eqs. 10, 11)
 *
 * Where the contact would pull, the force is set to 0 (Eq. 22): contact ends before d = 0, and may
 * begin again below the surface.
 *
 * The first model was made for a linear spring, for which C_1 = 0.75 alpha_1 K with e = 1 - alpha_1
 * v0 (Eq. 9); that is the law `lee-wang` of hertzian.c. With any other n it has no first integral,
 * and pulls at the end of every contact.
 *
 * The second model fades its dashpot in over a transition zone of depth eps. Eq. (11) is 0/0 at d =
 * 0; T(0+) = exp(-2 Q), so the force starts at C_2 exp(-2 Q) v0, which is small but not 0. T has a
 * kink at eps. C_2 is meant to follow from a coefficient of restitution as for a linear spring, C_2
 * = 2 zeta sqrt(k m), zeta = -ln e/sqrt(pi^2 + ln^2 e), whose units are inconsistent for n = 3/2.
 */
#include "cases/laws/laws.h"

#include <math.h>

enum { K, N };

/* the i-th derivative of K d^n */
static double spring(double d, int i, const double *par)
{
    if (!(d > 0)) return 0;
    const double n = par[N], whole = par[K] * (n == 1.5 ? d * sqrt(d) : pow(d, n));
    return i == 0 ? whole : i == 1 ? n * whole / d : n * (n - 1) * whole / (d * d);
}

/* of both models */
#define stored_energy_1 stored_energy
#define stored_energy_2 stored_energy
static double stored_energy(double d, const double *par)
{
    return spring(d, 0, par) * d / (par[N] + 1);
}

#define SPRING                                                                                                 \
    [K] = {"K", "N/m^n", "stiffness", "3.2e9", "(0, inf)"}, [N] = {"n", "1", "power of the indentation",       \
                                                                   "3/2", "[1, inf)"}

/* ---- the first model */

enum { C_1 = N + 1 };

static const ic_parameter of_the_first[] = {
    SPRING,
    [C_1] = {"C_1", "N s/m^2", "damping over indentation", "1.92e8", "[0, inf)"},
};

static double force_1(double d, double v, double memory, const double *par)
{
    (void)memory;
    return d > 0 ? spring(d, 0, par) + par[C_1] * d * v : 0;
}

static double force_rate_1(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    return d > 0 ? spring(d, 1, par) * v + par[C_1] * (v * v + d * acceleration) : 0;
}

static double rising_1(double d, double v, double m, double memory, const double *par)
{
    const double acceleration = -force_1(d, v, memory, par) / m;
    return spring(d, 1, par) * v + par[C_1] * (v * v + d * acceleration); /* valid at d = 0 too */
}

static double rising_rate_1(double d, double v, double m, double memory, const double *par)
{
    const double acceleration = -force_1(d, v, memory, par) / m,
                 jerk = -force_rate_1(d, v, acceleration, memory, par) / m;
    return spring(d, 2, par) * v * v + spring(d, 1, par) * acceleration +
           par[C_1] * (3 * v * acceleration + d * jerk);
}

/* F/d */
static double pushing_1(double d, double v, double memory, const double *par)
{
    (void)memory;
    return (d > 0 ? spring(d, 0, par) / d : 0) + par[C_1] * v;
}

static double pushing_rate_1(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    return (d > 0 ? (par[N] - 1) * spring(d, 0, par) / (d * d) * v : 0) + par[C_1] * acceleration;
}

#define FORCE_1 "K*max(d, 0)^n + C_1*max(d, 0)*v"

const ic_law ic_law_lee_wang_1 = {
    IC_ABI(ic_law),
    .name = "lee-wang-1",
    .title = "F = K d^n + C_1 d d', at least 0",
    .source = "Lee & Wang 1983, first model with any spring",
    .basis = "Yigit, Ulsoy & Scott 1990, Eqs. (6), (7), (22) and (23)",
    IC_LAW_PARTS(of_the_first, _1),
    .promises = IC_LAW_ALL_PROMISES,
    .condition = IC_CONDITION_C_STAR,
    .pushing = pushing_1,
    .pushing_rate = pushing_rate_1,
    .force_text = FORCE_1,
    .pushing_text = "K*max(d, 0)^(n - 1) + C_1*v",
    .rising_text = "n*K*max(d, 0)^(n - 1)*v + C_1*(v^2 - d*(" FORCE_1 ")/m)",
};

/* ---- the second model */

enum { C_2 = N + 1, EPS, Q };

static const ic_parameter of_the_second[] = {
    SPRING,
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

static double force_2(double d, double v, double memory, const double *par)
{
    (void)memory;
    return spring(d, 0, par) + par[C_2] * transition(d, 0, par) * v;
}

static double force_rate_2(double d, double v, double acceleration, double memory, const double *par)
{
    (void)memory;
    return spring(d, 1, par) * v +
           par[C_2] * (transition(d, 1, par) * v * v + transition(d, 0, par) * acceleration);
}

static double rising_2(double d, double v, double m, double memory, const double *par)
{
    return force_rate_2(d, v, -force_2(d, v, memory, par) / m, memory, par);
}

static double rising_rate_2(double d, double v, double m, double memory, const double *par)
{
    const double acceleration = -force_2(d, v, memory, par) / m, jerk = -rising_2(d, v, m, memory, par) / m;
    return spring(d, 2, par) * v * v + spring(d, 1, par) * acceleration +
           par[C_2] * (transition(d, 2, par) * v * v * v + 3 * transition(d, 1, par) * v * acceleration +
                       transition(d, 0, par) * jerk);
}

static double kink(double v, const double *par)
{
    (void)v;
    return par[EPS];
}

#define TRANSITION "where(d < eps, exp(2*Q*(d - eps)/eps), 1)"
#define FORCE_2 "K*max(d, 0)^n + C_2*" TRANSITION "*v"

const ic_law ic_law_lee_wang_2 = {
    IC_ABI(ic_law),
    .name = "lee-wang-2",
    .title = "F = K d^n + C_2 T(d) d', at least 0, with T rising to 1 over a transition zone",
    .source = "Lee & Wang 1983, second model",
    .basis = "Yigit, Ulsoy & Scott 1990, Eqs. (10) to (14) and (22)",
    IC_LAW_PARTS(of_the_second, _2),
    .promises = IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_C_STAR,
    .kink = kink,
    .kink_text = "eps",
    .force_text = FORCE_2,
    .rising_text =
        "n*K*max(d, 0)^(n - 1)*v + C_2*" TRANSITION "*(where(d < eps, 2*Q/eps, 0)*v^2 - (" FORCE_2 ")/m)",
};
