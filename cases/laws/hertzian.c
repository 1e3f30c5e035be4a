/* SPDX-License-Identifier: MIT */
/**
 * Laws of one form: Hertz's force, or another power of the indentation, with damping proportional
 * to it,
 *
 *     F = K d^n (1 + a d'/v0),
 *
 * where v0 is the speed at which contact began, and a follows from the required coefficient of
 * restitution e. The e that a free impact then has depends on a alone (core/restitution.h). For the
 * two to agree, a -> 3(1 - e)/2 as e -> 1 and a e -> 1 as e -> 0; the laws differ in how closely
 * they approximate this. The memory of a contact is a/v0.
 *
 * For all of them, the force begins at 0, a free impact is never pulled back (a e_out < 1), and
 * energy is only dissipated (a >= 0). With other external forces, where d' < -v0/a, the bracket is
 * negative and the contact pulls.
 */
#include "cases/laws/laws.h"

#include <math.h>

enum { K, N, E };

static const ic_parameter elastic[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
};

#define DAMPED(domain_)                                                                                        \
    {                                                                                                          \
        [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},                                                 \
        [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},                                       \
        [E] = {"e", "1", "required coefficient of restitution", "0.8", domain_},                               \
    }
static const ic_parameter damped[] = DAMPED("[0, 1]");
static const ic_parameter damped_not_plastic[] = DAMPED("(0, 1]"); /* a is infinite for e = 0 */

/* ---- the force: memory is a/v0 */

/* K d^n, without pow() for Hertz's power */
static double spring(double d, const double *par)
{
    if (!(d > 0)) return 0;
    return par[K] * (par[N] == 1.5 ? d * sqrt(d) : pow(d, par[N]));
}

/* n K d^(n-1) */
static double spring_slope(double d, const double *par)
{
    const double positive = d > 0 ? d : 0;
    return par[N] * par[K] * (par[N] == 1.5 ? sqrt(positive) : pow(positive, par[N] - 1));
}

static double force(double d, double v, double memory, const double *par)
{
    return spring(d, par) * (1 + memory * v);
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    return spring_slope(d, par) * v * (1 + memory * v) + spring(d, par) * memory * acceleration;
}

static double stored_energy(double d, const double *par)
{
    return spring(d, par) * d / (par[N] + 1);
}

double ic_law_bracket(double d, double v, double memory, const double *par)
{
    (void)d, (void)par;
    return 1 + memory * v;
}

double ic_law_bracket_rate(double d, double v, double acceleration, double memory, const double *par)
{
    (void)d, (void)v, (void)par;
    return memory * acceleration;
}

/*
 * During a free impact, F' = K d^(n-1) (1 + a v/v0) (n v - a K d^(n+1)/(m v0)); the last bracket
 * falls through zero once.
 */
static double rising(double d, double v, double m, double memory, const double *par)
{
    return par[N] * v - memory * spring(d, par) * d / m;
}

static double rising_rate(double d, double v, double m, double memory, const double *par)
{
    const double elastic_force = spring(d, par);
    return -par[N] * elastic_force * (1 + memory * v) / m - memory * (par[N] + 1) * elastic_force * v / m;
}

/* ---- the laws */

#define POWER_LAW(symbol_, name_, title_, parameters_, ...)                                                    \
    const ic_law ic_law_##symbol_ = {IC_ABI(ic_law),                                                           \
                                     .name = (name_),                                                          \
                                     .title = (title_),                                                        \
                                     IC_LAW_PARTS(parameters_, ),                                              \
                                     .promises = IC_LAW_ALL_PROMISES,                                          \
                                     .condition = IC_CONDITION_A,                                              \
                                     .pushing = ic_law_bracket,                                                \
                                     .pushing_rate = ic_law_bracket_rate,                                      \
                                     .stiffness = "K",                                                         \
                                     .power = "n",                                                             \
                                     __VA_ARGS__}

POWER_LAW(hertz, "hertz", "F = K d^n, elastic", elastic, .source = "Hertz 1881", .damping = "0");

/* A law given by its damping factor, in C and as text; a test proves them equal. */
#define DAMPED_LAW(symbol_, name_, parameters_, damping_, text_, ...)                                          \
    static double remember_##symbol_(double v0, const double *par)                                             \
    {                                                                                                          \
        const double e = par[E];                                                                               \
        return (damping_) / v0;                                                                                \
    }                                                                                                          \
    POWER_LAW(symbol_, name_, "F = K d^n (1 + a d'/v0), a = " text_, parameters_,                              \
              .remember = remember_##symbol_, .memory_unit = "s/m", .damping = (text_), __VA_ARGS__)

#define NOT_SEEN "the factor as given by several public codes and manuals; the source itself was not available"

DAMPED_LAW(hunt_crossley, "hunt-crossley", damped, 1.5 * (1 - e), "3/2*(1 - e)",
           .source = "Hunt & Crossley 1975", .basis = NOT_SEEN);
DAMPED_LAW(herbert_mcwhannell, "herbert-mcwhannell", damped, 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3),
           "6*(1 - e)/((2*e - 1)^2 + 3)", .source = "Herbert & McWhannell 1977", .basis = NOT_SEEN);
DAMPED_LAW(lee_wang, "lee-wang", damped, 0.75 * (1 - e), "3/4*(1 - e)",
           .source = "Lee & Wang 1983, first model",
           .basis = "Yigit, Ulsoy & Scott 1990, Eqs. (6) to (9), with e = 1 - alpha_1 v0");
DAMPED_LAW(lankarani_nikravesh, "lankarani-nikravesh", damped, 0.75 * (1 - e * e), "3/4*(1 - e^2)",
           .source = "Lankarani & Nikravesh 1990", .basis = NOT_SEEN);
DAMPED_LAW(gonthier, "gonthier", damped_not_plastic, (1 - e * e) / e, "(1 - e^2)/e",
           .source = "Gonthier et al. 2004, its approximation", .basis = NOT_SEEN);
DAMPED_LAW(zhiying_qishao, "zhiying-qishao", damped, 0.75 * (1 - e * e) * exp(2 * (1 - e)),
           "3/4*(1 - e^2)*exp(2*(1 - e))", .source = "Zhiying & Qishao 2006",
           .basis = "Wang et al. 2018, Eq. (2), which has this factor");
DAMPED_LAW(hu_guo, "hu-guo", damped_not_plastic, 1.5 * (1 - e) / e, "3/2*(1 - e)/e", .source = "Hu & Guo 2015",
           .basis = NOT_SEEN "; one code has half of it, which contradicts the limit for e -> 1");
DAMPED_LAW(flores, "flores", damped_not_plastic, 1.6 * (1 - e) / e, "8/5*(1 - e)/e",
           .source = "Flores et al. 2011", .basis = NOT_SEEN);
DAMPED_LAW(wang_liu, "wang-liu", damped, 0.75 * (1 - e * e) * exp(2 * (1 - e)), "3/4*(1 - e^2)*exp(2*(1 - e))",
           .source = "Wang, Liu & Ma 2016",
           .basis =
               "inferred: Wang et al. 2018 call their Eq. (2) its extension. Its own stiffness, with the axial "
               "length of a joint, was not found: K and n are the user's");

/* ---- the law with the exact a: (1 + a)/(1 - a e) = exp(a (1 + e)), a > 0 */

/* h(x) = x - ln(1 + x); for small x by its series r x - 2 r^3 (1/3 + r^2/5 + ...), r = x/(2 + x) */
static double h(double x)
{
    const double r = x / (2 + x), square = r * r;
    double sum = 0;
    if (fabs(r) > 0.25) return x - log1p(x);
    for (int k = 12; k >= 0; k--) sum = sum * square + 1.0 / (2 * k + 3);
    return x * r - 2 * r * square * sum;
}

/*
 * f(a) = h(a) - h(-a e) is positive up to its only positive zero, then decreases to -inf at 1/e:
 * Newton's method with bisection as a safeguard.
 */
static double exact_damping(double e)
{
    if (e >= 1) return 0;
    double low = 0, high = 1 / e, a = 1.5 * (1 - e) / e; /* the a of Hu & Guo */
    for (int i = 0; i < 200; i++) {
        if (!(a > low && a < high)) a = 0.5 * (low + high);
        const double f = h(a) - h(-a * e), slope = a / (1 + a) - a * e * e / (1 - a * e);
        if (f > 0) low = a;
        else high = a;
        const double next = a - f / slope;
        if (fabs(next - a) <= 4e-16 * a || high - low <= 4e-16 * a) break;
        a = next;
    }
    return a;
}

static double remember_gonthier_exact(double v0, const double *par)
{
    return exact_damping(par[E]) / v0;
}

POWER_LAW(gonthier_exact, "gonthier-exact",
          "F = K d^n (1 + a d'/v0), (1 + a)/(1 - a e) = exp(a (1 + e)): e_out = e", damped_not_plastic,
          .source = "Gonthier et al. 2004",
          .basis = "derived: the first integral of a free impact has this form, and determines a",
          .remember = remember_gonthier_exact, .memory_unit = "s/m", .restitution = "e");

/* ---- the law whose e follows from the impact speed and the yield strengths */

enum { SIGMA_1 = N + 1, SIGMA_2, K_STAR };

static const ic_parameter of_improved[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [SIGMA_1] = {"sigma_1", "Pa", "first yield strength of Eq. (4)", "1815e6", "(0, inf)"},
    [SIGMA_2] = {"sigma_2", "Pa", "second yield strength of Eq. (4); their order matters", "2050e6",
                 "(0, inf)"},
    [K_STAR] = {"K_star", "1", "yield-strength coefficient, Eq. (4)", IC_K_STAR, "(0, inf)"},
};

/* If the impact is too fast for the law, e is not positive: NAN, which stops a run. */
static double remember_improved(double v0, const double *par)
{
    const double e = 1 - 0.26 * par[K_STAR] * cbrt(v0);
    return e > 0 ? 0.75 * (1 - e * e) * exp(2 * (1 - e)) / v0 : NAN;
}

#define STAMMERS "(1 - 0.26*K_star*cbrt(v0))"
static const ic_requirement speeds[] = {
    {STAMMERS, "the law ends at v0 = (1/(0.26 K_star))^3 m/s, where its coefficient of restitution falls to 0"},
};

POWER_LAW(improved, "improved", "zhiying-qishao with e = 1 - 0.26 K_star v0^(1/3), after Stammers & Ghazavi",
          of_improved, .source = "Wang et al. 2018, Eqs. (2) to (4)", .requirements = speeds,
          .n_requirements = IC_COUNT(speeds), .remember = remember_improved, .memory_unit = "s/m",
          .damping = "3/4*(1 - " STAMMERS "^2)*exp(2*(1 - " STAMMERS "))");
