/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"

enum { X = IC_TRAP_BALL_X, V = IC_TRAP_BALL_V, FLIGHT = IC_TRAP_BALL_FLIGHT, REST = IC_TRAP_BALL_REST };

const ic_parameter ic_trap_ball_parameters[] = {
    [IC_TRAP_BALL_H] = {"h", "m", "height at the start", "1", "[0, inf)"},
    [IC_TRAP_BALL_V0] = {"v0", "m/s", "velocity at the start, upwards", "0", "(-inf, inf)"},
    [IC_TRAP_BALL_G] = {"g", "m/s^2", "acceleration of free fall", "10", "(0, inf)"},
    [IC_TRAP_BALL_E] = {"e", "1", "coefficient of restitution", "1/2", "[0, 1]"},
};

const ic_state ic_trap_ball_states[] = {
    [X] = {"x", "m", "height above the floor", "h + v0^2/(2*g)"},
    [V] = {"v", "m/s", "velocity, upwards", "sqrt(2*g*h + v0^2)"},
};

void ic_trap_ball_flight(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[X] = x[V];
    dxdt[V] = -par[IC_TRAP_BALL_G];
}
const char *const ic_trap_ball_flight_linear[] = {"v", "-g"};

int ic_trap_ball_start(double *x_post, double t, const double *x, const double *par)
{
    (void)t, (void)x;
    x_post[X] = par[IC_TRAP_BALL_H];
    x_post[V] = par[IC_TRAP_BALL_V0];
    return 0;
}
const ic_branch ic_trap_ball_start_branches[] = {{.mode = FLIGHT, .state = IC_TEXTS("h", "v0")}};

int ic_trap_ball_reverse(double *x_post, double t, const double *x, const double *par)
{
    (void)t;
    x_post[X] = 0;
    x_post[V] = -par[IC_TRAP_BALL_E] * x[V];
    return 0;
}
const char *const ic_trap_ball_reversed[] = {"0", "-e*v"};

/* t_0 = 10 sqrt(5)/7 and 2 t_0 */
const ic_trap_event ic_trap_ball_impacts[] = {
    {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 3.19438282499969956629881952676, 0},
    {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 6.38876564999939913259763905352, 0}};

IC_TRAP_FLOW(rest, 0, 0)
IC_TRAP_VALUE(height, x[X])
IC_TRAP_VALUE(height_rate, x[V])
IC_TRAP_LEAP(come_to_rest, REST, ("0", "0"), 0, 0)

enum { BOUNCES, STAYS };

static int impact(double *x_post, double t, const double *x, const double *par)
{
    ic_trap_ball_reverse(x_post, t, x, par);
    if (x_post[V] > 0) return BOUNCES;
    x_post[V] = 0;
    return STAYS;
}
static const ic_branch impact_branches[] = {
    [BOUNCES] = {.mode = FLIGHT, .condition = "-e*v", .state = ic_trap_ball_reversed},
    [STAYS] = {.mode = REST, .state = IC_TEXTS("0", "0")},
};

static const ic_guard flight_guards[] = {
    {IC_TRAP_GUARD(IC_TRAP_BALL_FLOOR, "m", "the ball meets the floor", -1, height, height_rate, "x"),
     .jump = IC_LINEAR_JUMP(impact, impact_branches),
     .accumulation = IC_LINEAR_JUMP(come_to_rest, come_to_rest_branches)},
};

static const ic_mode modes[] = {
    [FLIGHT] = {IC_TRAP_MODE("flight", "free fall", ic_trap_ball_flight, ic_trap_ball_flight_linear,
                             flight_guards)},
    [REST] = {.name = "rest", .meaning = "lying on the floor", .flow = rest, .linear = IC_TEXTS("0", "0")},
};

const ic_variant ic_trap_ball_variants[] = {
    {IC_TRAP_VARIANT("ball", "restitution v+ = -e v-", modes, ic_trap_ball_start)},
};
