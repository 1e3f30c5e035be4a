/* SPDX-License-Identifier: MIT */
/**
 * A ball hits a fixed specimen once: indentation d, force F of a contact law, until the contact
 * opens.
 *
 * X. Wang, X. Ji, L. Wang, D. Wang, B. Han, Modeling and simulation of an improved impact force
 * model for mechanical system (2018), on the experiments of Zhang and Sharf (2009).
 *
 *     d' = v,   m v' = -F(d, v, memory),   d(0) = 0,   v(0) = v0.
 *
 * Each law of cases/laws is a variant, under the condition for contact that the law names. Laws
 * that need a coefficient of restitution are given c_r. Following Stammers and Ghazavi, with the
 * yield-strength coefficient K_star, the paper uses
 *
 *     c_r = 1 - 0.26 K_star v0^(1/3)        (Eq. 3; v0 in m/s)
 *
 * which is the default; it is valid up to v0 = (1/(0.26 K_star))^3, where it falls to 0. Eq. (4)
 * gives K_star from the yield strengths of ball and specimen. With that of the ball first, it gives
 * the value of the tables for C2, 2050/(2050 - 330), but not for C1: the third branch gives
 * 2050/(2050 + 1815), but the tables follow from 1815/(2050 + 1815), with the other yield strength
 * in the numerator.
 *
 * Elastic data give K = 4/3 E* sqrt(R) (Hertz). R and m are not printed. R = 26.3 mm and solid
 * steel are derived: both the peak forces and the yield contact force of Table I lead to them.
 *
 * The onset d^(3/2) is not smooth: F'' is infinite at d = 0, which solvers meet at both ends of
 * contact.
 */
#include "cases/common/functions.h"
#include "cases/laws/laws.h"

#include <math.h>

enum { R, E_1, NU_1, E_2, NU_2, M, V0, SIGMA_1, SIGMA_2, K_STAR, K, N, C_R, OF_THE_LAW };
enum { D, V, D_MAX, F_MAX, T_C, MEMORY }; /* MEMORY is the state of the law */
enum { CONTACT, OPEN, RELEASED };

#define SOFTNESS "((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2)"
static const ic_parameter parameters[] = {
    [R] = {"R", "m", "radius of the ball; derived", "0.0263", "(0, inf)"},
    [E_1] = {"E_1", "Pa", "Young's modulus of the specimen", "213e9", "(0, inf)"},
    [NU_1] = {"nu_1", "1", "Poisson's ratio of the specimen", "0.29", "(-1, 0.5]"},
    [E_2] = {"E_2", "Pa", "Young's modulus of the ball", "210e9", "(0, inf)"},
    [NU_2] = {"nu_2", "1", "Poisson's ratio of the ball", "0.3", "(-1, 0.5]"},
    [M] = {"m", "kg", "mass of the ball; derived: solid steel", "7800*4/3*pi*R^3", "(0, inf)"},
    [V0] = {"v0", "m/s", "impact speed", "0.5", "(0, inf)"},
    [SIGMA_1] = {"sigma_1", "Pa", "first yield strength of Eq. (4)", "1815e6", "(0, inf)"},
    [SIGMA_2] = {"sigma_2", "Pa", "second yield strength of Eq. (4)", "2050e6", "(0, inf)"},
    [K_STAR] = {"K_star", "1", "yield-strength coefficient, Eq. (4)", IC_K_STAR, "(0, inf)"},
    [K] = {"K", "N/m^n", "stiffness of the contact", "4/3*sqrt(R)/" SOFTNESS, "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C_R] = {"c_r", "1",
             "coefficient of restitution given to the law; Eq. (3) falls to 0 at v0 = (1/(0.26 K_star))^3",
             "1 - 0.26*K_star*cbrt(v0)", "(0, 1]"},
};

/*
 * (m v0^2/K)^(1/(n + 1)); the indentation of an elastic impact is ((n + 1)/2)^(1/(n + 1)) times
 * this
 */
#define DEPTH "exp(log(m*v0^2/K)/(n + 1))"

/* 2 zeta of a linear contact whose restitution is c_r */
#define TWICE_ZETA "2*sqrt(log(c_r)^2/(pi^2 + log(c_r)^2))"

static const ic_law_default law_defaults[] = {
    {"e", "c_r"},
    {"K_star", "(1 - c_r)/(0.26*cbrt(v0))"}, /* so that a setting of c_r prevails */
    {"k", "m*v0^2/" DEPTH "^2"},
    {"c", TWICE_ZETA "*sqrt(k*m)"},
    {"C_2", TWICE_ZETA "*m*v0/" DEPTH},
    {"C_1", TWICE_ZETA "*m*v0/" DEPTH "^2"},
    {"eps", DEPTH "/20"},
    /* as stiff at the onset as the ball, for Delta_R = 0.1 mm */
    {"L", "2*sqrt(2)*K*sqrt(1e-4)*" SOFTNESS "/pi"},
    {"Delta_R", "1e-4"},
    {"E_star", "1/" SOFTNESS},
};

static const ic_state states[] = {
    [D] = {"d", "m", "indentation", DEPTH},
    [V] = {"v", "m/s", "its rate", "v0"},
    [D_MAX] = {"d_max", "m", "greatest indentation, set when it has passed", DEPTH},
    [F_MAX] = {"F_max", "N", "greatest force, set when it has passed", "m*v0^2/" DEPTH},
    [T_C] = {"t_c", "s", "duration of contact so far", DEPTH "/v0"},
};

/* ---- forces of a law */

static double force(const ic_law *law, const double *x, const double *par)
{
    return law->force(x[D], x[V], x[MEMORY], par + OF_THE_LAW);
}

static double force_rate(const ic_law *law, const double *x, const double *par)
{
    return law->force_rate(x[D], x[V], -force(law, x, par) / par[M], x[MEMORY], par + OF_THE_LAW);
}

static double pushing(const ic_law *law, const double *x, const double *par)
{
    return ic_law_pushing(law, x[D], x[V], x[MEMORY], par + OF_THE_LAW);
}

static double pushing_rate(const ic_law *law, const double *x, const double *par)
{
    return ic_law_pushing_rate(law, x[D], x[V], -force(law, x, par) / par[M], x[MEMORY], par + OF_THE_LAW);
}

static double pushing_rate_released(const ic_law *law, const double *x, const double *par)
{
    return ic_law_pushing_rate(law, x[D], x[V], 0, x[MEMORY], par + OF_THE_LAW);
}

static double rising(const ic_law *law, const double *x, const double *par)
{
    return law->rising(x[D], x[V], par[M], x[MEMORY], par + OF_THE_LAW);
}

static double rising_rate(const ic_law *law, const double *x, const double *par)
{
    return law->rising_rate(x[D], x[V], par[M], x[MEMORY], par + OF_THE_LAW);
}

static double acceleration(const ic_law *law, const double *x, const double *par)
{
    return -force(law, x, par) / par[M];
}

static double beyond_kink(const ic_law *law, const double *x, const double *par)
{
    return ic_law_beyond_kink(law, x[D], par + OF_THE_LAW);
}

static void contact(const ic_law *law, double *dxdt, const double *x, const double *par)
{
    dxdt[D] = x[V];
    dxdt[V] = acceleration(law, x, par);
    dxdt[D_MAX] = dxdt[F_MAX] = dxdt[MEMORY] = 0;
    dxdt[T_C] = 1;
}

static void free_motion(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)par;
    dxdt[D] = x[V];
    dxdt[V] = dxdt[D_MAX] = dxdt[F_MAX] = dxdt[T_C] = dxdt[MEMORY] = 0;
}

IC_FUNCTION(indentation, x[D])
IC_FUNCTION(rate, x[V])

/* ---- jumps: record a peak, continue, or open the contact */

static void keep(double *x_post, const double *x_pre)
{
    for (int i = 0; i <= MEMORY; i++) x_post[i] = x_pre[i];
}

static int force_peak(const ic_law *law, double *x_post, const double *x_pre, const double *par)
{
    keep(x_post, x_pre);
    x_post[F_MAX] = fmax(x_pre[F_MAX], force(law, x_pre, par));
    return 0;
}

static int turn(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    keep(x_post, x_pre);
    x_post[D_MAX] = x_pre[D];
    return 0;
}

static int go_on(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    keep(x_post, x_pre);
    return 0;
}

static int separate(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    keep(x_post, x_pre);
    x_post[D] = 0;
    return 0;
}

static const ic_branch goes_on[] = {{.mode = IC_SAME_MODE}};
static const ic_branch opens[] = {{.mode = OPEN}};
/*
 * the guard of the next mode is the same function, and leaves zero in the direction in which it
 * came
 */
static const ic_branch releases[] = {{.mode = RELEASED, IC_DEPARTS(0, 1, -1)}};
static const ic_branch takes_hold[] = {{.mode = CONTACT, IC_DEPARTS(0, 1, +1)}};

static int set_start(const ic_law *law, double *x, const double *par)
{
    x[MEMORY] = ic_law_memory(law, par[V0], par + OF_THE_LAW);
    x[D] = law->reach != NULL ? law->reach(par[V0], par + OF_THE_LAW) : 0;
    x[V] = par[V0];
    x[D_MAX] = x[T_C] = 0;
    x[F_MAX] = force(law, x, par);
    return 0;
}

static const ic_branch starts[] = {{.mode = CONTACT}};

/* ---- energy */

static double stored_energy(const ic_law *law, const double *x, const double *par)
{
    return 0.5 * par[M] * x[V] * x[V] + law->stored_energy(x[D], par + OF_THE_LAW);
}

static double dissipated_power(const ic_law *law, const double *x, const double *par)
{
    return (force(law, x, par) - law->force(x[D], 0, x[MEMORY], par + OF_THE_LAW)) * x[V];
}

/* While released, the spring loses its energy to no body. */
static double released_power(const ic_law *law, const double *x, const double *par)
{
    return -law->force(x[D], 0, x[MEMORY], par + OF_THE_LAW) * x[V];
}

IC_FUNCTION(kinetic_energy, 0.5 * par[M] * x[V] * x[V])
IC_FUNCTION(no_power, 0)

/* ---- the guards and modes of a contact on a law, by its condition */

#define PEAK(law_)                                                                                             \
    IC_GUARD("peak-force", "N/s", "the force is greatest", -1, law_##_rising, law_##_rising_rate, NULL,        \
             law_##_force_peak, goes_on)
#define TURN(law_)                                                                                             \
    IC_GUARD("turn", "m/s", "the indentation is greatest", -1, rate, law_##_acceleration, NULL, turn, goes_on)
#define SURFACE IC_GUARD("separation", "m", "the contact opens", -1, indentation, rate, NULL, separate, opens)

/* condition A: contact until d = 0 */
#define GUARDS_A(law_) static const ic_guard law_##_guards[] = {PEAK(law_), TURN(law_), SURFACE};

/* conditions B, C and D: contact until F = 0; they end a single impact alike */
#define GUARDS_C(law_)                                                                                         \
    IC_ON_LAW(law_, force)                                                                                     \
    IC_ON_LAW(law_, force_rate)                                                                                \
    static const ic_guard law_##_guards[] = {                                                                  \
        PEAK(law_),                                                                                            \
        TURN(law_),                                                                                            \
        IC_GUARD("separation", "N", "the contact opens", -1, law_##_force, law_##_force_rate, NULL, go_on,     \
                 opens),                                                                                       \
    };
#define GUARDS_B(law_) GUARDS_C(law_)
#define GUARDS_D(law_) GUARDS_C(law_)

#define TRANSITION(law_, apply_)                                                                               \
    IC_GUARD("transition", "m", "the indentation passes a kink of the force", 0, law_##_beyond_kink, rate,     \
             NULL, apply_, goes_on)

/*
 * condition C*: where F < 0 below the surface, no force acts until F > 0 again or d = 0; the guard
 * for that has the kink of the law too
 */
#define GUARDS_C_STAR(law_)                                                                                    \
    IC_ON_LAW(law_, pushing)                                                                                   \
    IC_ON_LAW(law_, pushing_rate)                                                                              \
    IC_ON_LAW(law_, beyond_kink)                                                                               \
    IC_ON_LAW(law_, pushing_rate_released)                                                                     \
    IC_ON_LAW(law_, released_power)                                                                            \
    static const ic_guard law_##_guards[] = {                                                                  \
        IC_GUARD("release", "N", "the force falls to zero below the surface", -1, law_##_pushing,              \
                 law_##_pushing_rate, NULL, law_##_force_peak, releases),                                      \
        PEAK(law_),                                                                                            \
        TURN(law_),                                                                                            \
        TRANSITION(law_, law_##_force_peak),                                                                   \
        SURFACE,                                                                                               \
    };                                                                                                         \
    static const ic_guard law_##_released_guards[] = {                                                         \
        IC_GUARD("regained contact", "N", "the force rises above zero below the surface", +1, law_##_pushing,  \
                 law_##_pushing_rate_released, NULL, go_on, takes_hold),                                       \
        TRANSITION(law_, go_on),                                                                               \
        SURFACE,                                                                                               \
    };

/*
 * If contact begins at d = 0 and ends with the force, d is never negative: to return to 0, d needs
 * v < 0, and then the force of spring and dashpot has become negative before.
 */
static const ic_invariant pressed[] = {
    {"indentation", "m", "the ball is not off the specimen", +1, indentation, NULL}};

#define MODE_CONTACT(law_, keeps_, n_keeps_)                                                                   \
    [CONTACT] = {.name = "contact",                                                                            \
                 .meaning = "the law pushes the ball back",                                                    \
                 .flow = law_##_contact,                                                                       \
                 .guards = law_##_guards,                                                                      \
                 .n_guards = IC_COUNT(law_##_guards),                                                          \
                 .invariants = (keeps_),                                                                       \
                 .n_invariants = (n_keeps_),                                                                   \
                 .stored_energy = law_##_stored_energy,                                                        \
                 .supplied_power = no_power,                                                                   \
                 .dissipated_power = law_##_dissipated_power}
#define MODE_OPEN(law_)                                                                                        \
    [OPEN] = {.name = "open",                                                                                  \
              .meaning = "the impact is over",                                                                 \
              .flow = free_motion,                                                                             \
              .terminal = true,                                                                                \
              .stored_energy = kinetic_energy,                                                                 \
              .supplied_power = no_power,                                                                      \
              .dissipated_power = no_power}
#define MODE_RELEASED(law_)                                                                                    \
    [RELEASED] = {.name = "released",                                                                          \
                  .meaning = "below the surface, where the law would pull: no force",                          \
                  .flow = free_motion,                                                                         \
                  .guards = law_##_released_guards,                                                            \
                  .n_guards = IC_COUNT(law_##_released_guards),                                                \
                  .stored_energy = law_##_stored_energy,                                                       \
                  .supplied_power = no_power,                                                                  \
                  .dissipated_power = law_##_released_power}

#define MODES(law_, keeps_, n_keeps_)                                                                          \
    static const ic_mode law_##_modes[] = {MODE_CONTACT(law_, keeps_, n_keeps_), MODE_OPEN(law_)};
#define MODES_A(law_) MODES(law_, NULL, 0)
#define MODES_B(law_) MODES(law_, NULL, 0)
#define MODES_C(law_) MODES(law_, pressed, IC_COUNT(pressed))
#define MODES_D(law_) MODES(law_, pressed, IC_COUNT(pressed))
#define MODES_C_STAR(law_)                                                                                     \
    static const ic_mode law_##_modes[] = {MODE_CONTACT(law_, NULL, 0), MODE_OPEN(law_), MODE_RELEASED(law_)};

/* ---- the functions above for each law */

#define IC_LAW(law_, name_, condition_)                                                                        \
    static void law_##_contact(double *dxdt, double t, const double *x, const double *par)                     \
    {                                                                                                          \
        (void)t;                                                                                               \
        contact(&ic_law_##law_, dxdt, x, par);                                                                 \
    }                                                                                                          \
    static int law_##_force_peak(double *x_post, double t, const double *x_pre, const double *par)             \
    {                                                                                                          \
        (void)t;                                                                                               \
        return force_peak(&ic_law_##law_, x_post, x_pre, par);                                                 \
    }                                                                                                          \
    static int law_##_start(double *x, double t, const double *x_pre, const double *par)                       \
    {                                                                                                          \
        (void)t, (void)x_pre;                                                                                  \
        return set_start(&ic_law_##law_, x, par);                                                              \
    }                                                                                                          \
    IC_ON_LAW(law_, rising)                                                                                    \
    IC_ON_LAW(law_, rising_rate)                                                                               \
    IC_ON_LAW(law_, acceleration)                                                                              \
    IC_ON_LAW(law_, stored_energy)                                                                             \
    IC_ON_LAW(law_, dissipated_power)                                                                          \
    IC_OUTPUT(law_##_contact_force, mode == CONTACT ? force(&ic_law_##law_, x, par) : 0)                       \
    static const ic_output_value law_##_output_values[] = {                                                    \
        {.output = "contact_force", .value = law_##_contact_force}};                                           \
    GUARDS_##condition_(law_) MODES_##condition_(law_)
#include "cases/laws/laws.def"
#undef IC_LAW

/* ---- variants */

static const ic_free_impact free_impact = {.mass = "m",
                                           .speed = "v0",
                                           .restitution = "restitution",
                                           .peak_force = "peak_force",
                                           .peak_indentation = "peak_indentation",
                                           .duration = "duration"};

static const ic_variant variants[] = {
#define IC_LAW(law_, name_, condition_)                                                                        \
    {.name = (name_),                                                                                          \
     .meaning = "the law of this name",                                                                        \
     .modes = law_##_modes,                                                                                    \
     .n_modes = IC_COUNT(law_##_modes),                                                                        \
     .start = {.apply = law_##_start, .branches = starts, .n_branches = 1},                                    \
     .law = &ic_law_##law_,                                                                                    \
     .output_values = law_##_output_values,                                                                    \
     .n_output_values = IC_COUNT(law_##_output_values),                                                        \
     .free_impact = &free_impact},
#include "cases/laws/laws.def"
#undef IC_LAW
};

/* ---- outputs */

IC_OUTPUT(out_restitution, mode == OPEN ? -x[V] / par[V0] : NAN)
IC_OUTPUT(out_peak_force, x[F_MAX])
IC_OUTPUT(out_peak_indentation, x[D_MAX])
IC_OUTPUT(out_duration, x[T_C])

/* Replaced by each variant; without a law there is no force. */
IC_OUTPUT(out_contact_force, NAN)

static const ic_output outputs[] = {
    {"contact_force", "N", "force of the contact on the ball", out_contact_force, NULL},
    {"restitution", "1", "speed after the impact divided by the impact speed", out_restitution, NULL},
    {"peak_force", "N", "greatest force, set when it has passed", out_peak_force, NULL},
    {"peak_indentation", "m", "greatest indentation, set when it has passed", out_peak_indentation, NULL},
    {"duration", "s", "duration of contact so far", out_duration, NULL},
};

/* Contact lasts about 3 to 4 depths over v0, and longer if the rebound is slower. */
#define LONG "20*" DEPTH "/(v0*c_r)"
#define C1(v0_)                                                                                                \
    {                                                                                                          \
        "C1/" v0_, "improved", "v0=" v0_ ", K_star=1815/3865", LONG, "specimen C1"                             \
    }
#define C2(v0_)                                                                                                \
    {                                                                                                          \
        "C2/" v0_, "improved", "v0=" v0_ ", E_1=205e9, sigma_1=2050e6, sigma_2=330e6", LONG, "specimen C2"     \
    }
static const ic_preset presets[] = {
    C1("0.0938"), C1("0.1500"), C1("0.2060"), C1("0.2989"), C1("0.3910"), C1("0.5000"),
    C2("0.0938"), C2("0.1500"), C2("0.2060"), C2("0.2989"), C2("0.3910"), C2("0.5000"),
#define IC_LAW(law_, name_, condition_) {name_, name_, "c_r=0.8", LONG, "C1 at 0.5 m/s on this law, c_r = 0.8"},
#include "cases/laws/laws.def"
#undef IC_LAW
};

static const ic_contact_view contact_view = {.contact = CONTACT,
                                             .free = OPEN,
                                             .force = "contact_force",
                                             .derived = (const char *const[]){"d_max", "F_max", "t_c", NULL}};

static const ic_trial trials[] = {{.preset = "hunt-crossley"}, {.preset = "kelvin-voigt-C"}};

const ic_case ic_case_ball = {
    IC_ABI(ic_case),
    .name = "ball",
    .title = "A ball hits a specimen, on any contact-force law",
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
    .law_defaults = law_defaults,
    .n_law_defaults = IC_COUNT(law_defaults),
    .time_scale = "3*" DEPTH "/v0",
    .contact = &contact_view,
    .trials = trials,
    .n_trials = IC_COUNT(trials),
};
