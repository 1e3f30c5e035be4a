/* SPDX-License-Identifier: MIT */
/**
 * A ball hits a fixed specimen, once: indentation d, force F of a contact law, until the contact opens.
 *
 * X. Wang, X. Ji, L. Wang, D. Wang, B. Han, Modeling and simulation of an improved impact force model for mechanical
 * system (2018), for the experiments of Zhang and Sharf (2009).
 *
 *     d' = v,   m v' = -F,   F = K d^n (1 + a v/v0),   d(0) = 0,   v(0) = v0.
 *
 * Each variant is a law of cases/laws, which gives a for its coefficient of restitution, c_r here. The paper's own, after
 * Stammers and Ghazavi with the yield-strength coefficient K_star,
 *
 *     c_r = 1 - 0.26 K_star v0^(1/3)        (Eq. 3; v0 in m/s)
 *
 * is the default; it ends where it falls to 0, at v0 = (1/(0.26 K_star))^3. The law of the paper is that of Zhiying and Qishao
 * with this c_r (variant `improved`). The speed v0 that the law remembers is a parameter, since there is one impact.
 *
 * Elastic data give K = 4/3 E* sqrt(R) (Hertz). R and m are not printed: R = 26.3 mm and solid steel are what both the
 * peak forces and the yield contact force of Table I lead to. Derived, not given.
 *
 * The onset d^(3/2) is not smooth: F'' is infinite at d = 0, and solvers meet that at both ends of contact.
 */
#include "cases/laws/laws.h"

#include <math.h>

enum { R, E_1, NU_1, E_2, NU_2, M, V0, K_STAR, K, N, C_R }; /* K, N, C_R in a row: the parameters of a law */
enum { D, V, D_MAX, F_MAX, T_C };
enum { CONTACT, OPEN };

static const ic_parameter parameters[] = {
    [R] = {"R", "m", "radius of the ball; derived", "0.0263", "(0, inf)"},
    [E_1] = {"E_1", "Pa", "Young's modulus of the specimen", "213e9", "(0, inf)"},
    [NU_1] = {"nu_1", "1", "Poisson's ratio of the specimen", "0.29", "(-1, 0.5]"},
    [E_2] = {"E_2", "Pa", "Young's modulus of the ball", "210e9", "(0, inf)"},
    [NU_2] = {"nu_2", "1", "Poisson's ratio of the ball", "0.3", "(-1, 0.5]"},
    [M] = {"m", "kg", "mass of the ball; derived: solid steel", "7800*4/3*pi*R^3", "(0, inf)"},
    [V0] = {"v0", "m/s", "speed at which it hits", "0.5", "(0, inf)"},
    [K_STAR] = {"K_star", "1", "yield-strength coefficient, Eq. (4)", "1815/(1815 + 2050)", "(0, inf)"},
    [K] = {"K", "N/m^n", "stiffness of the contact", "4/3*sqrt(R)/((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2)",
           "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C_R] = {"c_r", "1",
             "coefficient of restitution that the law is given; the default falls to 0 for fast impacts",
             "1 - 0.26*K_star*cbrt(v0)", "(0, 1]"},
};

/* (m v0^2/K)^(1/(n + 1)): an elastic impact goes ((n + 1)/2)^(1/(n + 1)) times as deep */
#define DEPTH "exp(log(m*v0^2/K)/(n + 1))"

static const ic_state states[] = {
    [D] = {"d", "m", "indentation", DEPTH},
    [V] = {"v", "m/s", "its rate", "v0"},
    [D_MAX] = {"d_max", "m", "greatest indentation, once it is past", DEPTH},
    [F_MAX] = {"F_max", "N", "greatest force, once it is past", "m*v0^2/" DEPTH},
    [T_C] = {"t_c", "s", "duration of contact so far", DEPTH "/v0"},
};

/* ---- a law at work */

static double force(const ic_law *law, const double *x, const double *par)
{
    return x[D] > 0 ? law->force(x[D], x[V], par[V0], par + K) : 0;
}

/* a = F(d, v0)/F(d, 0) - 1, at any d */
static double damping(const ic_law *law, const double *par)
{
    return law->force(1, par[V0], par[V0], par + K) / law->force(1, 0, par[V0], par + K) - 1;
}

/* K d^n */
static double spring(const ic_law *law, const double *x, const double *par)
{
    return x[D] > 0 ? law->force(x[D], 0, par[V0], par + K) : 0;
}

static void contact(const ic_law *law, double *dxdt, const double *x, const double *par)
{
    dxdt[D] = x[V];
    dxdt[V] = -force(law, x, par) / par[M];
    dxdt[D_MAX] = dxdt[F_MAX] = 0;
    dxdt[T_C] = 1;
}

static void open_motion(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)par;
    dxdt[D] = x[V];
    dxdt[V] = dxdt[D_MAX] = dxdt[F_MAX] = dxdt[T_C] = 0;
}

/* ---- guards */

static double indentation(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[D];
}

static double rate(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[V];
}

/* F' = K d^(n-1) (1 + a v/v0) (n v - a K d^(n+1)/(m v0)); the last bracket falls through zero once */
static double force_rate(const ic_law *law, const double *x, const double *par)
{
    return par[N] * x[V] - damping(law, par) * spring(law, x, par) * x[D] / (par[M] * par[V0]);
}

static double force_rate_rate(const ic_law *law, const double *x, const double *par)
{
    return -par[N] * force(law, x, par) / par[M] -
           damping(law, par) * (par[N] + 1) * spring(law, x, par) * x[V] / (par[M] * par[V0]);
}

/* ---- jumps: remember a peak; open the contact */

static int remember(const ic_law *law, int state, double *x_post, const double *x_pre, const double *par)
{
    for (int i = 0; i <= T_C; i++) x_post[i] = x_pre[i];
    x_post[state] = state == D_MAX ? x_pre[D] : force(law, x_pre, par);
    return 0;
}

static int separate(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    for (int i = 0; i <= T_C; i++) x_post[i] = x_pre[i];
    x_post[D] = 0;
    return 0;
}

static const ic_branch goes_on[] = {{.mode = IC_SAME_MODE}};
static const ic_branch opens[] = {{.mode = OPEN}};

/* ---- energy */

static double stored_energy(const ic_law *law, const double *x, const double *par)
{
    return 0.5 * par[M] * x[V] * x[V] + spring(law, x, par) * x[D] / (par[N] + 1);
}

static double dissipated_power(const ic_law *law, const double *x, const double *par)
{
    return (force(law, x, par) - spring(law, x, par)) * x[V];
}

static double no_power(double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    return 0;
}

static double kinetic_energy(double t, const double *x, const double *par)
{
    (void)t;
    return 0.5 * par[M] * x[V] * x[V];
}

static int start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[D] = x[D_MAX] = x[F_MAX] = x[T_C] = 0;
    x[V] = par[V0];
    return 0;
}

static const ic_branch starts[] = {{.mode = CONTACT}};

/* ---- the functions above for each law, and its modes */

#define GUARD(name_, unit_, meaning_, value_, rate_, apply_, branches_)                                        \
    {                                                                                                          \
        .name = (name_), .unit = (unit_), .meaning = (meaning_), .direction = -1, .value = (value_),           \
        .rate = (rate_), .jump = {                                                                             \
            .apply = (apply_),                                                                                 \
            .branches = (branches_),                                                                           \
            .n_branches = 1                                                                                    \
        }                                                                                                      \
    }

#define BALL_ON(law_)                                                                                          \
    static void law_##_contact(double *dxdt, double t, const double *x, const double *par)                     \
    {                                                                                                          \
        (void)t;                                                                                               \
        contact(&ic_law_##law_, dxdt, x, par);                                                                 \
    }                                                                                                          \
    static double law_##_force_rate(double t, const double *x, const double *par)                              \
    {                                                                                                          \
        (void)t;                                                                                               \
        return force_rate(&ic_law_##law_, x, par);                                                             \
    }                                                                                                          \
    static double law_##_force_rate_rate(double t, const double *x, const double *par)                         \
    {                                                                                                          \
        (void)t;                                                                                               \
        return force_rate_rate(&ic_law_##law_, x, par);                                                        \
    }                                                                                                          \
    static double law_##_deceleration(double t, const double *x, const double *par)                            \
    {                                                                                                          \
        (void)t;                                                                                               \
        return -force(&ic_law_##law_, x, par) / par[M];                                                        \
    }                                                                                                          \
    static int law_##_force_peak(double *x_post, double t, const double *x_pre, const double *par)             \
    {                                                                                                          \
        (void)t;                                                                                               \
        return remember(&ic_law_##law_, F_MAX, x_post, x_pre, par);                                            \
    }                                                                                                          \
    static int law_##_turn(double *x_post, double t, const double *x_pre, const double *par)                   \
    {                                                                                                          \
        (void)t;                                                                                               \
        return remember(&ic_law_##law_, D_MAX, x_post, x_pre, par);                                            \
    }                                                                                                          \
    static double law_##_stored(double t, const double *x, const double *par)                                  \
    {                                                                                                          \
        (void)t;                                                                                               \
        return stored_energy(&ic_law_##law_, x, par);                                                          \
    }                                                                                                          \
    static double law_##_dissipated(double t, const double *x, const double *par)                              \
    {                                                                                                          \
        (void)t;                                                                                               \
        return dissipated_power(&ic_law_##law_, x, par);                                                       \
    }                                                                                                          \
    static const ic_guard law_##_guards[] = {                                                                  \
        GUARD("peak-force", "m/s", "the force is greatest", law_##_force_rate, law_##_force_rate_rate,         \
              law_##_force_peak, goes_on),                                                                     \
        GUARD("turn", "m/s", "the indentation is greatest", rate, law_##_deceleration, law_##_turn, goes_on),  \
        GUARD("separation", "m", "the contact opens", indentation, rate, separate, opens),                     \
    };                                                                                                         \
    static const ic_mode law_##_modes[] = {                                                                    \
        [CONTACT] = {.name = "contact",                                                                        \
                     .meaning = "the law pushes the ball back",                                                \
                     .flow = law_##_contact,                                                                   \
                     .guards = law_##_guards,                                                                  \
                     .n_guards = IC_COUNT(law_##_guards),                                                      \
                     .stored_energy = law_##_stored,                                                           \
                     .supplied_power = no_power,                                                               \
                     .dissipated_power = law_##_dissipated},                                                   \
        [OPEN] = {.name = "open",                                                                              \
                  .meaning = "the impact is over",                                                             \
                  .flow = open_motion,                                                                         \
                  .terminal = true,                                                                            \
                  .stored_energy = kinetic_energy,                                                             \
                  .supplied_power = no_power,                                                                  \
                  .dissipated_power = no_power},                                                               \
    }

BALL_ON(hertz);
BALL_ON(hunt_crossley);
BALL_ON(herbert_mcwhannell);
BALL_ON(lee_wang);
BALL_ON(lankarani_nikravesh);
BALL_ON(gonthier);
BALL_ON(zhiying_qishao);
BALL_ON(hu_guo);
BALL_ON(flores);

static const char *const of_the_law[] = {"K", "n", "c_r"};
#define VARIANT(name_, law_, meaning_)                                                                         \
    {                                                                                                          \
        .name = (name_), .meaning = (meaning_), .modes = law_##_modes, .n_modes = IC_COUNT(law_##_modes),      \
        .start = {.apply = start, .branches = starts, .n_branches = 1},                                        \
        .free_impact = &(const ic_free_impact){.law = &ic_law_##law_,                                          \
                                               .parameters = of_the_law,                                       \
                                               .mass = "m",                                                    \
                                               .speed = "v0",                                                  \
                                               .restitution = "restitution",                                   \
                                               .peak_force = "peak_force",                                     \
                                               .peak_indentation = "peak_indentation",                         \
                                               .duration = "duration"},                                        \
    }

static const ic_variant variants[] = {
    VARIANT("improved", zhiying_qishao, "the paper's law: Zhiying and Qishao's with c_r after Eq. (3)"),
    VARIANT("hertz", hertz, "elastic"),
    VARIANT("hunt-crossley", hunt_crossley, "law of Hunt & Crossley 1975"),
    VARIANT("herbert-mcwhannell", herbert_mcwhannell, "law of Herbert & McWhannell 1977"),
    VARIANT("lee-wang", lee_wang, "first law of Lee & Wang 1983"),
    VARIANT("lankarani-nikravesh", lankarani_nikravesh, "law of Lankarani & Nikravesh 1990"),
    VARIANT("gonthier", gonthier, "law of Gonthier et al. 2004, its approximation"),
    VARIANT("hu-guo", hu_guo, "law of Hu & Guo 2015"),
    VARIANT("flores", flores, "law of Flores et al. 2011"),
};

/* ---- outputs */

static double out_restitution(double t, const double *x, int mode, const double *par)
{
    (void)t;
    return mode == OPEN ? -x[V] / par[V0] : NAN;
}

static double out_peak_force(double t, const double *x, int mode, const double *par)
{
    (void)t, (void)mode, (void)par;
    return x[F_MAX];
}

static double out_peak_indentation(double t, const double *x, int mode, const double *par)
{
    (void)t, (void)mode, (void)par;
    return x[D_MAX];
}

static double out_duration(double t, const double *x, int mode, const double *par)
{
    (void)t, (void)mode, (void)par;
    return x[T_C];
}

static const ic_output outputs[] = {
    {"restitution", "1", "speed after the impact over that before", out_restitution, NULL},
    {"peak_force", "N", "greatest force, once it is past", out_peak_force, NULL},
    {"peak_indentation", "m", "greatest indentation, once it is past", out_peak_indentation, NULL},
    {"duration", "s", "of contact, so far", out_duration, NULL},
};

/* Contact lasts some 3 to 4 depths over v0, and longer as what comes back is slower. */
#define LONG "20*" DEPTH "/(v0*c_r)"
#define C1(v0_)                                                                                                \
    {                                                                                                          \
        "C1/" v0_, "improved", "v0=" v0_, LONG, "specimen C1"                                                  \
    }
#define C2(v0_)                                                                                                \
    {                                                                                                          \
        "C2/" v0_, "improved", "v0=" v0_ ", E_1=205e9, K_star=2050/1720", LONG, "specimen C2"                  \
    }
#define BY(law_)                                                                                               \
    {                                                                                                          \
        law_, law_, "c_r=0.8", LONG, "C1 at 0.5 m/s by another law, c_r = 0.8"                                 \
    }

static const ic_preset presets[] = {
    C1("0.0938"),
    C1("0.1500"),
    C1("0.2060"),
    C1("0.2989"),
    C1("0.3910"),
    C1("0.5000"),
    C2("0.0938"),
    C2("0.1500"),
    C2("0.2060"),
    C2("0.2989"),
    C2("0.3910"),
    C2("0.5000"),
    BY("hertz"),
    BY("hunt-crossley"),
    BY("herbert-mcwhannell"),
    BY("lee-wang"),
    BY("lankarani-nikravesh"),
    BY("gonthier"),
    BY("hu-guo"),
    BY("flores"),
};

const ic_case ic_case_ball = {
    IC_ABI(ic_case),
    .name = "ball",
    .title = "A ball hits a specimen: nine contact-force laws",
    .source = "Wang et al. 2018",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .states = states,
    .n_states = IC_COUNT(states),
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .time_scale = "3*" DEPTH "/v0",
};
