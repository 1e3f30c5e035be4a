/* SPDX-License-Identifier: MIT */
/**
 * A case that tools/check-scratch.sh adds to a copy of the tree, to prove that one file and one
 * line do: a mass that a spring presses against a stop.
 *
 *     free:    x' = v,  v' = -w^2 (x + d)    until x falls to 0
 *     impact:  v+ = -e v-
 *     rest:    x' = 0,  v' = 0               with x = 0, v = 0
 *
 * Without the stop the mass swings: x + d = (h + d) cos(w t).
 */
#include "impactcheck/impactcheck.h"

enum { H, W, D, E };
enum { X, V };
enum { FREE, REST };

static const ic_parameter parameters[] = {
    [H] = {"h", "m", "distance from the stop at the start", "1", "(0, inf)"},
    [W] = {"w", "1/s", "angular frequency without the stop", "1", "(0, inf)"},
    [D] = {"d", "m", "deflection of the spring at the stop", "1/2", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "4/5", "[0, 1]"},
};

static const ic_state states[] = {
    [X] = {"x", "m", "distance from the stop", "h + d"},
    [V] = {"v", "m/s", "velocity, away from the stop", "w*(h + d)"},
};

static void pendulum_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[X] = x[V];
    dxdt[V] = -par[W] * par[W] * (x[X] + par[D]);
}

static void rest(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    dxdt[X] = 0;
    dxdt[V] = 0;
}

/* ---- energy per unit of mass */

static double energy(double t, const double *x, const double *par)
{
    (void)t;
    const double deflection = par[W] * (x[X] + par[D]);
    return 0.5 * (x[V] * x[V] + deflection * deflection);
}

static double no_power(double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    return 0;
}

/* ---- the stop */

static double distance(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[X];
}

static double velocity(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return x[V];
}

enum { REBOUNDS, STAYS };

static int reverse_velocity(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    const double rebound = -par[E] * x_pre[V];
    x_post[X] = 0;
    x_post[V] = rebound > 0 ? rebound : 0;
    return rebound > 0 ? REBOUNDS : STAYS;
}

static const ic_branch hit_branches[] = {
    [REBOUNDS] = {.mode = FREE, .condition = "-e*v", .state = (const char *const[]){"0", "-e*v"}},
    [STAYS] = {.mode = REST, .state = (const char *const[]){"0", "0"}},
};

static int come_to_rest(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    x_post[X] = 0;
    x_post[V] = 0;
    return 0;
}

static const ic_branch rest_branches[] = {{.mode = REST, .state = (const char *const[]){"0", "0"}}};

static const ic_guard stop[] = {{.name = "stop",
                                 .unit = "m",
                                 .meaning = "the mass hits the stop",
                                 .direction = -1,
                                 .value = distance,
                                 .rate = velocity,
                                 .linear = "x",
                                 .jump = IC_LINEAR_JUMP(reverse_velocity, hit_branches),
                                 .accumulation = IC_LINEAR_JUMP(come_to_rest, rest_branches)}};

static const ic_invariant at_rest[] = {
    {"distance", "m", "the mass lies at the stop", 0, distance, "x"},
    {"velocity", "m/s", "and does not move", 0, velocity, "v"},
};

/* ---- modes and variants */

#define MODE_FREE                                                                                              \
    .name = "free", .meaning = "away from the stop", .flow = pendulum_flow,                                    \
    .linear = (const char *const[]){"v", "-w^2*(x + d)"}, .stored_energy = energy, .supplied_power = no_power, \
    .dissipated_power = no_power
#define MODE_REST                                                                                              \
    {                                                                                                          \
        .name = "rest", .meaning = "pressed against the stop", .flow = rest,                                   \
        .linear = (const char *const[]){"0", "0"}, .invariants = at_rest, .n_invariants = IC_COUNT(at_rest),   \
        .stored_energy = energy, .supplied_power = no_power, .dissipated_power = no_power                      \
    }

static const ic_mode modes[] = {
    [FREE] = {MODE_FREE, .guards = stop, .n_guards = IC_COUNT(stop)}, [REST] = MODE_REST};
static const ic_mode modes_without_stop[] = {[FREE] = {MODE_FREE}, [REST] = MODE_REST};

static int set_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X] = par[H];
    x[V] = 0;
    return 0;
}

static const ic_branch start_branches[] = {{.mode = FREE, .state = (const char *const[]){"h", "0"}}};

static const ic_variant variants[] = {
    {.name = "stop",
     .meaning = "restitution v+ = -e v-",
     .modes = modes,
     .n_modes = IC_COUNT(modes),
     .start = IC_LINEAR_JUMP(set_start, start_branches)},
    {.name = "no-stop",
     .meaning = "the spring alone",
     .modes = modes_without_stop,
     .n_modes = IC_COUNT(modes_without_stop),
     .start = IC_LINEAR_JUMP(set_start, start_branches)},
};

/* ---- outputs, presets and contact */

static double output_distance(double t, const double *x, int mode, const double *par)
{
    (void)mode;
    return distance(t, x, par);
}

static const ic_output outputs[] = {
    {"distance", "m", "distance from the stop", output_distance, (const char *const[]){"x", "x"}},
};

static const ic_preset presets[] = {
    {"hit", "stop", "", "6", "some impacts"},
    {"swing", "no-stop", "", "5", "never meets a stop"},
};

static const ic_contact_view contact = {
    .contact = REST, .free = FREE, .gap = "distance", .rigid = true, .restitution = "e"};

const ic_case ic_case_scratch_case = {
    IC_ABI(ic_case),
    .name = "scratch-case",
    .title = "A mass that a spring presses against a stop",
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
    .time_scale = "1/w",
    .contact = &contact,
};
