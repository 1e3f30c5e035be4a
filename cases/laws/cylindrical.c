/* SPDX-License-Identifier: MIT */
/**
 * A pin in a bearing of clearance Delta_R and length L: Liu's elastic force, and the hybrid law
 * based on its slope.
 *
 *     F_L = pi E* L/2 d sqrt(d/(2 (Delta_R + d)))
 *     F_B = d F_L'(d) (1 + a d'/v0),   F_L' = pi E* L/8 sqrt(2 d (3 Delta_R + 2 d)^2/(Delta_R + d)^3),
 *
 * with the a of Zhiying and Qishao. F_L behaves like d^(3/2) for d << Delta_R, and is linear for d
 * >> Delta_R. With the half-angle eps of contact, cos(eps) = Delta_R/(Delta_R + d), it is pi E* L/2
 * d sin(eps/2).
 *
 * Neither source was available; `basis` below says what the laws are based on. The stiffness of Bai
 * and Zhao is the slope of F_L (a test shows it), so that F_B exceeds F_L, by half for small d. Its
 * power of d must be 1: any other would have inconsistent units.
 *
 * With s = d/Delta_R and c = pi E* L/(2 sqrt 2),
 *
 *     U_L = c Delta_R^2 (sqrt(s (1 + s)) (s/2 - 3/4) + 3/4 arsinh(sqrt s)),    U_B = d F_L - U_L.
 */
#include "cases/laws/laws.h"

#include <math.h>

enum { L, DELTA_R, E_STAR, E };

#define CYLINDER                                                                                               \
    [L] = {"L", "m", "length of the contact", "0.01", "(0, inf)"},                                             \
    [DELTA_R] = {"Delta_R", "m", "clearance: radius of the bearing minus radius of the pin", "1e-4",           \
                 "(0, inf)"},                                                                                  \
    [E_STAR] = {"E_star", "Pa", "contact modulus, 1/((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2)", "1.1e11",          \
                "(0, inf)"}

static const ic_parameter of_liu[] = {CYLINDER};
static const ic_parameter of_bai_zhao[] = {
    CYLINDER, [E] = {"e", "1", "required coefficient of restitution", "0.8", "[0, 1]"}};

/* ---- elastic forces and energies */

#define HALF_ROOT_PI 1.1107207345395915 /* pi/(2 sqrt 2) */

static double scale(const double *par)
{
    return HALF_ROOT_PI * par[E_STAR] * par[L];
}

static double elastic_liu(double d, const double *par)
{
    return d > 0 ? scale(par) * d * sqrt(d / (par[DELTA_R] + d)) : 0;
}

/* n(d) = d F'/F, the local power of F_L */
static double power_liu(double d, const double *par)
{
    return (1.5 * par[DELTA_R] + d) / (par[DELTA_R] + d);
}

static double stored_energy_liu(double d, const double *par)
{
    const double s = d / par[DELTA_R];
    double sum = 0;
    if (!(d > 0)) return 0;
    if (s > 0.25)
        return scale(par) * par[DELTA_R] * par[DELTA_R] *
               (sqrt(s * (1 + s)) * (0.5 * s - 0.75) + 0.75 * asinh(sqrt(s)));
    /*
     * the integral of s^(3/2) (1 + s)^(-1/2) as a series: after 26 terms the remainder is less than
     * (1/4)^26
     */
    double term = 1;
    for (int k = 0; k < 26; k++) {
        sum += term / (k + 2.5);
        term *= -s * (k + 0.5) / (k + 1);
    }
    return scale(par) * d * d * sqrt(s) * sum;
}

static double elastic_bai_zhao(double d, const double *par)
{
    return elastic_liu(d, par) * power_liu(d, par);
}

static double stored_energy_bai_zhao(double d, const double *par)
{
    return d * elastic_liu(d, par) - stored_energy_liu(d, par);
}

/* d F'/F = 3/2 + 2 d/(3 Delta_R + 2 d) - 3 d/(2 (Delta_R + d)) */
static double power_bai_zhao(double d, const double *par)
{
    const double r = par[DELTA_R];
    return 1.5 + 2 * d / (3 * r + 2 * d) - 1.5 * d / (r + d);
}

static double power_slope_bai_zhao(double d, const double *par)
{
    const double r = par[DELTA_R];
    return 6 * r / ((3 * r + 2 * d) * (3 * r + 2 * d)) - 1.5 * r / ((r + d) * (r + d));
}

/* ---- Liu's law: elastic, so the force rises while d does */

static double force_liu(double d, double v, double memory, const double *par)
{
    (void)v, (void)memory;
    return elastic_liu(d, par);
}

static double force_rate_liu(double d, double v, double acceleration, double memory, const double *par)
{
    (void)acceleration, (void)memory;
    return d > 0 ? elastic_liu(d, par) / d * power_liu(d, par) * v : 0;
}

static double rising_liu(double d, double v, double m, double memory, const double *par)
{
    (void)d, (void)m, (void)memory, (void)par;
    return v;
}

static double rising_rate_liu(double d, double v, double m, double memory, const double *par)
{
    (void)v, (void)memory;
    return -elastic_liu(d, par) / m;
}

#define FORCE_LIU "pi*E_star*L/2*d*sqrt(d/(2*(Delta_R + d)))"
#define ENERGY_LIU                                                                                             \
    "pi*E_star*L/(2*sqrt(2))*Delta_R^2*(sqrt(d/Delta_R*(1 + d/Delta_R))*(d/(2*Delta_R) - 3/4)"                 \
    " + 3/4*log(sqrt(d/Delta_R) + sqrt(1 + d/Delta_R)))"

const ic_law ic_law_liu = {
    IC_ABI(ic_law),
    .name = "liu",
    .title = "F = pi E* L/2 d sqrt(d/(2 (Delta_R + d))), elastic",
    .source = "Liu, Zhang & Yang 2005",
    .basis = "recalled as quoted in the literature, per unit of length or with L; no source was available. "
             "Its slope is the stiffness quoted from Bai & Zhao",
    IC_LAW_PARTS(of_liu, _liu),
    .promises = IC_LAW_ALL_PROMISES,
    .condition = IC_CONDITION_A,
    .pushing = ic_law_bracket,
    .pushing_rate = ic_law_bracket_rate,
    .elastic = FORCE_LIU,
    .energy = ENERGY_LIU,
    .damping = "0"};

/* ---- Bai and Zhao: memory is a/v0 */

static double memory_of_onset(double v0, const double *par)
{
    const double e = par[E];
    return 0.75 * (1 - e * e) * exp(2 * (1 - e)) / v0;
}

static double force_bai_zhao(double d, double v, double memory, const double *par)
{
    return elastic_bai_zhao(d, par) * (1 + memory * v);
}

static double force_rate_bai_zhao(double d, double v, double acceleration, double memory, const double *par)
{
    const double elastic = elastic_bai_zhao(d, par);
    if (!(d > 0)) return 0;
    return elastic / d * power_bai_zhao(d, par) * v * (1 + memory * v) + elastic * memory * acceleration;
}

/* F' = f/d (1 + a v/v0) (n(d) v - a f d/(m v0)) */
static double rising_bai_zhao(double d, double v, double m, double memory, const double *par)
{
    return power_bai_zhao(d, par) * v - memory * elastic_bai_zhao(d, par) * d / m;
}

static double rising_rate_bai_zhao(double d, double v, double m, double memory, const double *par)
{
    const double elastic = elastic_bai_zhao(d, par), power = power_bai_zhao(d, par);
    return power_slope_bai_zhao(d, par) * v * v - power * elastic * (1 + memory * v) / m -
           memory * (power + 1) * elastic * v / m;
}

#define ELASTIC_BAI_ZHAO(d_)                                                                                   \
    "pi*E_star*L/4*" d_ "*(3*Delta_R + 2*" d_ ")/(Delta_R + " d_ ")*sqrt(" d_ "/(2*(Delta_R + " d_ ")))"

const ic_law ic_law_bai_zhao = {
    IC_ABI(ic_law),
    .name = "bai-zhao",
    .title = "F = K_n d (1 + a d'/v0), K_n = pi E* L/8 sqrt(2 d (3 Delta_R + 2 "
             "d)^2/(Delta_R + d)^3), a as zhiying-qishao",
    .source = "Bai & Zhao 2013",
    .basis =
        "recalled as quoted in the literature; an abstract confirms the construction. Units allow only the power 1 of d, whatever is printed",
    IC_LAW_PARTS(of_bai_zhao, _bai_zhao),
    .promises = IC_LAW_ALL_PROMISES,
    .condition = IC_CONDITION_A,
    .remember = memory_of_onset,
    .memory_unit = "s/m",
    .pushing = ic_law_bracket,
    .pushing_rate = ic_law_bracket_rate,
    .elastic = ELASTIC_BAI_ZHAO("d"),
    .energy = "d*" FORCE_LIU " - " ENERGY_LIU,
    .damping = "3/4*(1 - e^2)*exp(2*(1 - e))",
    .rising_text = "(3/2 + 2*d/(3*Delta_R + 2*d) - 3*d/(2*(Delta_R + d)))*v - memory*" ELASTIC_BAI_ZHAO(
        "max(d, 0)") "*d/m"};
