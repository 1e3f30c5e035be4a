/* SPDX-License-Identifier: MIT */
/**
 * A ball that falls on a rigid floor: the smallest complete case, and the one to read first.
 *
 *     flight:  x' = v,  v' = -g          until x falls to 0
 *     impact:  v+ = -e v-                Newton's restitution
 *     rest:    x' = 0,  v' = 0            with x = 0, v = 0
 *
 * From rest at height h the ball lands at t_0 = sqrt(2h/g), and after the n-th bounce it flies for
 * 2 e^n t_0. For e < 1 infinitely many impacts end at the finite (Zeno) time
 *
 *     t_Z = t_0 (1 + e)/(1 - e),
 *
 * after which the ball rests: the jump `accumulation` of the guard.
 */
#include "impactcheck/impactcheck.h"

enum { H, V0, G, E };
enum { X, V };
enum { FLIGHT, REST };

static const ic_parameter parameters[] = {
    [H] = {"h", "m", "height at the start", "1", "[0, inf)"},
    [V0] = {"v0", "m/s", "velocity at the start, upwards", "0", "(-inf, inf)"},
    [G] = {"g", "m/s^2", "acceleration of free fall", "9.81", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "1/2", "[0, 1]"},
};

static const ic_state states[] = {
    [X] = {"x", "m", "height of the ball above the floor", "h + v0^2/(2*g)"},
    [V] = {"v", "m/s", "velocity, upwards", "sqrt(2*g*h + v0^2)"},
};

/* ---- flows */

static void flight(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[X] = x[V];
    dxdt[V] = -par[G];
}

static void rest(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    dxdt[X] = 0;
    dxdt[V] = 0;
}

/* ---- energy per unit of mass: nothing is supplied, and nothing dissipated between impacts */

static double energy(double t, const double *x, const double *par)
{
    (void)t;
    return 0.5 * x[V] * x[V] + par[G] * x[X];
}

static double no_power(double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    return 0;
}

/* ---- the floor */

static double height(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[X];
}

static double height_rate(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[V];
}

enum { BOUNCES, STAYS };

static int impact(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    const double rebound = -par[E] * x_pre[V];
    x_post[X] = 0;
    x_post[V] = rebound > 0 ? rebound : 0;
    return rebound > 0 ? BOUNCES : STAYS;
}

static const ic_branch impact_branches[] = {
    [BOUNCES] = {.mode = FLIGHT, .condition = "-e*v", .state = (const char *const[]){"0", "-e*v"}},
    [STAYS] = {.mode = REST, .state = (const char *const[]){"0", "0"}},
};

static int come_to_rest(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    x_post[X] = 0;
    x_post[V] = 0;
    return 0;
}

static const ic_branch rest_branches[] = {
    {.mode = REST, .state = (const char *const[]){"0", "0"}},
};

static const ic_guard flight_guards[] = {
    {
        .name = "floor",
        .unit = "m",
        .meaning = "the ball meets the floor",
        .direction = -1,
        .value = height,
        .rate = height_rate,
        .linear = "x",
        .jump = IC_LINEAR_JUMP(impact, impact_branches),
        .accumulation = IC_LINEAR_JUMP(come_to_rest, rest_branches),
    },
};

/* ---- at rest: x = 0 and v = 0 */

static double velocity(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[V];
}

static const ic_invariant rest_invariants[] = {
    {"height", "m", "the ball lies on the floor", 0, height, "x"},
    {"velocity", "m/s", "the ball does not move", 0, velocity, "v"},
};

static const ic_mode modes[] = {
    [FLIGHT] = {.name = "flight",
                .meaning = "free fall",
                .flow = flight,
                .linear = (const char *const[]){"v", "-g"},
                .guards = flight_guards,
                .n_guards = IC_COUNT(flight_guards),
                .stored_energy = energy,
                .supplied_power = no_power,
                .dissipated_power = no_power},
    [REST] = {.name = "rest",
              .meaning = "lying on the floor",
              .flow = rest,
              .linear = (const char *const[]){"0", "0"},
              .invariants = rest_invariants,
              .n_invariants = IC_COUNT(rest_invariants),
              .stored_energy = energy,
              .supplied_power = no_power,
              .dissipated_power = no_power},
};

/* ---- start: in flight, unless on the floor without velocity */

enum { ABOVE, THROWN_UP, THROWN_DOWN, LYING };

static int set_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X] = par[H];
    x[V] = par[V0];
    if (par[H] > 0) return ABOVE;
    if (par[V0] > 0) return THROWN_UP;
    return par[V0] < 0 ? THROWN_DOWN : LYING;
}

static const char *const start_state[] = {"h", "v0"};

static const ic_branch start_branches[] = {
    [ABOVE] = {.mode = FLIGHT, .condition = "h", .state = start_state},
    [THROWN_UP] = {.mode = FLIGHT, .condition = "v0", .state = start_state},
    [THROWN_DOWN] = {.mode = FLIGHT, .condition = "-v0", .state = start_state},
    [LYING] = {.mode = REST, .state = start_state},
};

static const ic_variant variants[] = {
    {.name = "newton",
     .meaning = "restitution v+ = -e v-",
     .modes = modes,
     .n_modes = IC_COUNT(modes),
     .start = IC_LINEAR_JUMP(set_start, start_branches)},
};

/* ---- outputs */

static double output_energy(double t, const double *x, int mode, const double *par)
{
    (void)mode;
    return energy(t, x, par);
}

static double output_height(double t, const double *x, int mode, const double *par)
{
    (void)t, (void)mode, (void)par;
    return x[X];
}

static const ic_output outputs[] = {
    {"height", "m", "height above the floor", output_height, (const char *const[]){"x", "x"}},
    {"energy", "J/kg", "kinetic and potential energy per unit of mass", output_energy, NULL},
};

static const ic_preset presets[] = {
    {"drop", "newton", "", "2", "from 1 m with e = 1/2: comes to rest after infinitely many impacts"},
    {"lively", "newton", "e=9/10", "5", "e = 9/10, stopped before the impacts accumulate"},
    {"elastic", "newton", "e=1", "10", "bounces without loss"},
    {"plastic", "newton", "e=0", "1", "stays where it lands"},
};

static const ic_contact_view contact_view = {
    .contact = REST, .free = FLIGHT, .gap = "height", .rigid = true, .restitution = "e"};

static const ic_trial trials[] = {{.preset = "lively"}};

const ic_case ic_case_bouncing_ball = {
    IC_ABI(ic_case),
    .name = "bouncing-ball",
    .title = "Ball bouncing on a rigid floor",
    .source = "textbook",
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
    .time_scale = "sqrt(2*h/g) + sqrt(v0^2)/g",
    .contact = &contact_view,
    .trials = trials,
    .n_trials = IC_COUNT(trials),
};
