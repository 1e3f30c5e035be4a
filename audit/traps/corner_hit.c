/* SPDX-License-Identifier: MIT */
/**
 * A point flies into a corner: it meets the wall x = 1/10 with x' = 1/3 and the wall y = 21/100
 * with y' = 7/10, both at t = 3/10. Each wall reverses one velocity. In double precision the two
 * times are an ulp apart.
 *
 * A solver that handles only the first event restarts with the other guard at zero: that guard is
 * lost and the point leaves, or the two fire in turn for ever. With the square corner (x' = y' =
 * 1/3, walls at 1/10) the times are equal in double precision too.
 */
#include "audit/solver/traps.h"

enum { X, Y };
enum { PLUS_PLUS, MINUS_PLUS, PLUS_MINUS, MINUS_MINUS };
enum { V_Y, WALL_Y };

static const ic_parameter parameters[] = {
    [V_Y] = {"v_y", "m/s", "speed along y", "7/10", "(0, inf)"},
    [WALL_Y] = {"y_w", "m", "the wall across y", "21/100", "(0, inf)"},
};
static const ic_state states[] = {{"x", "m", "", "1/10"}, {"y", "m", "", "y_w"}};

IC_TRAP_FLOW(plus_plus, 1.0 / 3, par[V_Y])
IC_TRAP_FLOW(minus_plus, -1.0 / 3, par[V_Y])
IC_TRAP_FLOW(plus_minus, 1.0 / 3, -par[V_Y])
IC_TRAP_FLOW(minus_minus, -1.0 / 3, -par[V_Y])
IC_TRAP_VALUE(beyond_x, x[X] - 0.1)
IC_TRAP_VALUE(beyond_x_rate, 1.0 / 3)
IC_TRAP_VALUE(beyond_y, x[Y] - par[WALL_Y])
IC_TRAP_VALUE(beyond_y_rate, par[V_Y])
IC_TRAP_JUMP(pass, x[X], x[Y])
IC_TRAP_LEAP(start, PLUS_PLUS, ("0", "0"), 0, 0)

static const ic_branch to_minus_plus[] = {{.mode = MINUS_PLUS}};
static const ic_branch to_plus_minus[] = {{.mode = PLUS_MINUS}};
static const ic_branch to_minus_minus[] = {{.mode = MINUS_MINUS}};

#define WALL_AT_X(branches_)                                                                                   \
    IC_TRAP_EVENT_TO("wall-x", "m", "the wall across x", +1, beyond_x, beyond_x_rate, "x - 1/10", pass,        \
                     branches_)
#define WALL_AT_Y(branches_)                                                                                   \
    IC_TRAP_EVENT_TO("wall-y", "m", "the wall across y", +1, beyond_y, beyond_y_rate, "y - y_w", pass,         \
                     branches_)
static const ic_guard both_walls[] = {WALL_AT_X(to_minus_plus), WALL_AT_Y(to_plus_minus)};
static const ic_guard wall_y[] = {WALL_AT_Y(to_minus_minus)};
static const ic_guard wall_x[] = {WALL_AT_X(to_minus_minus)};

static const ic_mode modes[] = {
    [PLUS_PLUS] = {IC_TRAP_MODE("++", "towards both walls", plus_plus, IC_TEXTS("1/3", "v_y"), both_walls)},
    [MINUS_PLUS] = {IC_TRAP_MODE("-+", "towards the wall across y", minus_plus, IC_TEXTS("-1/3", "v_y"),
                                 wall_y)},
    [PLUS_MINUS] = {IC_TRAP_MODE("+-", "towards the wall across x", plus_minus, IC_TEXTS("1/3", "-v_y"),
                                 wall_x)},
    [MINUS_MINUS] = {.name = "--",
                     .meaning = "away from both",
                     .flow = minus_minus,
                     .linear = IC_TEXTS("-1/3", "-v_y")},
};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("corner", "two walls", modes, start)}};
static const ic_preset presets[] = {
    {"oblong", "corner", "", "1/2", "times an ulp apart in double precision"},
    {"square", "corner", "v_y=1/3, y_w=1/10", "1/2", "times equal in double precision"}};

static const ic_case system = {
    IC_TRAP_CASE("corner-hit", "Two events at one instant", "SciML/DiffEqBase.jl#837"),
    IC_TRAP_PARAMETERS(parameters), IC_TRAP_TABLES(states, variants, presets), .time_scale = "3/10"};

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "wall-x", 0.3, 0}, {IC_EVENT_GUARD, "wall-y", 0.3, 1}};

#define RUN(name_, y_)                                                                                         \
    {                                                                                                          \
        .preset = (name_), .exact_from = 1, IC_TRAP_EVENTS(events), .any_order = true,                         \
        .end = {1.0 / 30, (y_)}, .dx = 4                                                                       \
    }
static const ic_trap_run runs[] = {RUN("oblong", 0.07), RUN("square", 1.0 / 30)};

IC_TRAP_OF(corner_hit, "one of two events at one instant is lost, or they fire for ever",
           "SciML/DiffEqBase.jl#837, SciML/DiffEqBase.jl#889, SciML/DifferentialEquations.jl#516, "
           "AMICI-dev/AMICI#2804",
           .clauses = IC_CLAUSE(4), .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_SIMULTANEOUS_LOST});
