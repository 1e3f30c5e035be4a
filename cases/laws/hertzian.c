/* SPDX-License-Identifier: MIT */
/**
 * Laws of one form: Hertz's force, or another power of the indentation, with damping in proportion to it,
 *
 *     F = K d^n (1 + a d'/v0),
 *
 * where v0 is the speed at which contact began, and a follows from the coefficient of restitution e that is wanted. Which e
 * comes out of a free impact depends on a alone (core/restitution.h): for a(e) to be right, a -> 3(1 - e)/2 for e -> 1 and
 * a e -> 1 for e -> 0. The laws differ in how near they come.
 *
 * All of them: the force begins at 0, a free impact is never pulled back (a e_out < 1), and energy is only lost (a >= 0).
 * Under other forces the bracket turns negative, and the contact pulls, where d' < -v0/a.
 *
 * None of the sources is at hand. Wang et al. 2018 and Yigit et al. 1990 print two of the factors; the others are those that
 * several public codes and their manuals agree on, checked by the two limits above.
 */
#include "impactcheck/impactcheck.h"

#include <math.h>

enum { K, N, E };

static const ic_parameter elastic[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "(0, inf)"},
};

#define DAMPED(domain_)                                                                                        \
    {                                                                                                          \
        [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},                                                 \
        [N] = {"n", "1", "power of the indentation", "3/2", "(0, inf)"},                                       \
        [E] = {"e", "1", "coefficient of restitution that is wanted", "0.8", domain_},                         \
    }
static const ic_parameter damped[] = DAMPED("[0, 1]");
static const ic_parameter damped_not_plastic[] = DAMPED("(0, 1]"); /* a is infinite for e = 0 */

/* K d^n, without pow() for Hertz's power */
static double spring(double d, const double *par)
{
    return par[K] * (par[N] == 1.5 ? d * sqrt(d) : pow(d, par[N]));
}

static double force_hertz(double d, double v, double v0, const double *par)
{
    (void)v, (void)v0;
    return spring(d, par);
}

#define ALL_PROMISES (IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)
#define LAW(symbol_, name_, title_, source_, parameters_, damping_)                                            \
    const ic_law ic_law_##symbol_ = {IC_ABI(ic_law),                                                           \
                                     .name = (name_),                                                          \
                                     .title = (title_),                                                        \
                                     .source = (source_),                                                      \
                                     .parameters = (parameters_),                                              \
                                     .n_parameters = IC_COUNT(parameters_),                                    \
                                     .promises = ALL_PROMISES,                                                 \
                                     .force = force_##symbol_,                                                 \
                                     .stiffness = "K",                                                         \
                                     .power = "n",                                                             \
                                     .damping = (damping_)}

/* A law by its damping factor, once in C and once as text; a test proves that they are the same. */
#define DAMPED_LAW(symbol_, name_, source_, parameters_, damping_, text_)                                      \
    static double force_##symbol_(double d, double v, double v0, const double *par)                            \
    {                                                                                                          \
        const double e = par[E];                                                                               \
        return spring(d, par) * (1 + (damping_)*v / v0);                                                       \
    }                                                                                                          \
    LAW(symbol_, name_, "a = " text_, source_, parameters_, text_)

LAW(hertz, "hertz", "elastic: a = 0", "Hertz 1881", elastic, "0");
DAMPED_LAW(hunt_crossley, "hunt-crossley", "Hunt & Crossley 1975", damped, 1.5 * (1 - e), "3/2*(1 - e)");
DAMPED_LAW(herbert_mcwhannell, "herbert-mcwhannell", "Herbert & McWhannell 1977", damped,
           6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3), "6*(1 - e)/((2*e - 1)^2 + 3)");
DAMPED_LAW(lee_wang, "lee-wang", "Lee & Wang 1983, first model", damped, 0.75 * (1 - e), "3/4*(1 - e)");
DAMPED_LAW(lankarani_nikravesh, "lankarani-nikravesh", "Lankarani & Nikravesh 1990", damped, 0.75 * (1 - e * e),
           "3/4*(1 - e^2)");
DAMPED_LAW(gonthier, "gonthier", "Gonthier et al. 2004, its approximation", damped_not_plastic, (1 - e * e) / e,
           "(1 - e^2)/e");
DAMPED_LAW(zhiying_qishao, "zhiying-qishao", "Zhiying & Qishao 2006", damped,
           0.75 * (1 - e * e) * exp(2 * (1 - e)), "3/4*(1 - e^2)*exp(2*(1 - e))");
DAMPED_LAW(hu_guo, "hu-guo", "Hu & Guo 2015", damped_not_plastic, 1.5 * (1 - e) / e, "3/2*(1 - e)/e");
DAMPED_LAW(flores, "flores", "Flores et al. 2011", damped_not_plastic, 1.6 * (1 - e) / e, "8/5*(1 - e)/e");
