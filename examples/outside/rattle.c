/* SPDX-License-Identifier: MIT */
/**
 * A mass on a spring in front of a wall.
 *
 *     x'' = -omega^2 x              while x < gap
 *     x' -> -e x'                   at x = gap, x' > 0
 *
 * From x = 0 with the speed v0 > omega gap, the first impact is at t_1 = asin(omega gap/v0)/omega.
 * The texts next to the functions allow the analytic solver, piecewise_linear, to solve the case.
 */
#include "outside.h"

enum { OMEGA, GAP, E, V0 };
enum { X, V };

static const ic_parameter parameters[] = {
    [OMEGA] = {"omega", "rad/s", "angular frequency of the mass on the spring", "2pi", "(0, inf)"},
    [GAP] = {"gap", "m", "distance from the middle to the wall", "1/2", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "0.9", "[0, 1]"},
    [V0] = {"v0", "m/s", "initial speed", "2pi", "(0, inf)"},
};

static const ic_state states[] = {
    [X] = {"x", "m", "position", "v0/omega"},
    [V] = {"v", "m/s", "velocity", "v0"},
};

static void swing(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[X] = x[V];
    dxdt[V] = -par[OMEGA] * par[OMEGA] * x[X];
}

static double clearance(double t, const double *x, const double *par)
{
    (void)t;
    return par[GAP] - x[X];
}

static double clearance_rate(double t, const double *x, const double *par)
{
    (void)t, (void)par;
    return -x[V];
}

static int rebound(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    x_post[X] = x_pre[X];
    x_post[V] = -par[E] * x_pre[V];
    return 0;
}

static const ic_branch rebound_branches[] = {
    {.mode = IC_SAME_MODE, .state = (const char *const[]){"x", "-e*v"}}};

static const ic_guard guards[] = {
    {.name = "impact",
     .unit = "m",
     .meaning = "the mass hits the wall",
     .direction = -1,
     .value = clearance,
     .rate = clearance_rate,
     .linear = "gap - x",
     .jump = IC_LINEAR_JUMP(rebound, rebound_branches)},
};

static const ic_mode modes[] = {
    {.name = "free",
     .meaning = "the mass swings freely",
     .flow = swing,
     .linear = (const char *const[]){"v", "-omega^2*x"},
     .guards = guards,
     .n_guards = IC_COUNT(guards)},
};

static int start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X] = 0;
    x[V] = par[V0];
    return 0;
}

static const ic_branch start_branches[] = {{.mode = 0, .state = (const char *const[]){"0", "v0"}}};

static const ic_variant variants[] = {
    {.name = "newton",
     .meaning = "Newton's restitution",
     .modes = modes,
     .n_modes = IC_COUNT(modes),
     .start = IC_LINEAR_JUMP(start, start_branches)},
};

static double position(double t, const double *x, int mode, const double *par)
{
    (void)t, (void)mode, (void)par;
    return x[X];
}

static const ic_output outputs[] = {
    {"position", "m", "position of the mass", position, (const char *const[]){"x"}},
};

static const ic_preset presets[] = {
    {"lively", "newton", "", "2", "loses little of its speed at the wall"},
    {"hard", "newton", "e=1/4", "2", "loses most of its speed at the wall"},
};

const ic_case rattle = {
    IC_ABI(ic_case),
    .name = "rattle",
    .title = "A mass on a spring in front of a wall",
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
    .time_scale = "1/omega",
};
