/* SPDX-License-Identifier: MIT */
/**
 * A ball, g = 9.8, h = 50, e = 1/2, whose guard is 1e12 x or 1e-12 x. Event
 * times must not depend on the unit of a guard: they are those of the guard x.
 *
 * A search that stops at |g| <= 1e-12 fires the flat guard anywhere below 1 m, from 3.1623 s on,
 * and never converges with the steep one.
 */
#include "audit/solver/traps.h"

enum { X = IC_TRAP_BALL_X, V = IC_TRAP_BALL_V };

IC_TRAP_VALUE(steep, 1e12 * x[X])
IC_TRAP_VALUE(steep_rate, 1e12 * x[V])
IC_TRAP_VALUE(flat, 1e-12 * x[X])
IC_TRAP_VALUE(flat_rate, 1e-12 * x[V])

static const ic_branch branches[] = {{.mode = IC_TRAP_BALL_FLIGHT, .state = ic_trap_ball_reversed}};
static const ic_guard steep_guards[] = {IC_TRAP_EVENT_TO(IC_TRAP_BALL_FLOOR, "pm", "the ball meets the floor",
                                                         -1, steep, steep_rate, "1e12*x", ic_trap_ball_reverse,
                                                         branches)};
static const ic_guard flat_guards[] = {IC_TRAP_EVENT_TO(IC_TRAP_BALL_FLOOR, "Tm", "the ball meets the floor",
                                                        -1, flat, flat_rate, "1e-12*x", ic_trap_ball_reverse,
                                                        branches)};
static const ic_mode steep_modes[] = {
    {IC_TRAP_MODE("flight", "free fall", ic_trap_ball_flight, ic_trap_ball_flight_linear, steep_guards)}};
static const ic_mode flat_modes[] = {
    {IC_TRAP_MODE("flight", "free fall", ic_trap_ball_flight, ic_trap_ball_flight_linear, flat_guards)}};

static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("steep", "the height in picometres", steep_modes, ic_trap_ball_start)},
    {IC_TRAP_VARIANT("flat", "the height in terametres", flat_modes, ic_trap_ball_start)},
};
static const ic_preset presets[] = {{"steep", "steep", "h=50, g=9.8", "15/2", "two impacts"},
                                    {"flat", "flat", "h=50, g=9.8", "15/2", "two impacts"}};

IC_TRAP_BALL_SYSTEM("scaled-guard", "A guard in another unit", "SciML/OrdinaryDiffEq.jl#31", variants)

/* t_0 = 10 sqrt(5)/7 and 2 t_0 */
static const ic_trap_event events[] = {
    {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 3.19438282499969956629881952676, 0},
    {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 6.38876564999939913259763905352, 0}};

#define END                                                                                                    \
    {                                                                                                          \
        2.64605968432531577666727923776, -3.06385870875662456311102943496                                      \
    }

static const ic_trap_run runs[] = {
    {.preset = "steep", .exact_from = 2, IC_TRAP_EVENTS(events), .end = END, .dt = 10, .dx = 10},
    {.preset = "flat", .exact_from = 2, IC_TRAP_EVENTS(events), .end = END, .dt = 10, .dx = 10},
};

IC_TRAP_OF(scaled_guard, "the time of an event depends on the unit of its guard", "SciML/OrdinaryDiffEq.jl#31",
           .clauses = IC_CLAUSE(1), .floor = true,
           .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_RESIDUAL_TOLERANCE,
                        [IC_SYMPTOM_STATUS] = IC_MISTAKE_ROOT_NOT_CONVERGED});
