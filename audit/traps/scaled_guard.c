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
IC_TRAP_BALL_MODES(steep, "pm", "1e12*x", branches)
IC_TRAP_BALL_MODES(flat, "Tm", "1e-12*x", branches)

static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("steep", "the height in picometres", steep_modes, ic_trap_ball_start)},
    {IC_TRAP_VARIANT("flat", "the height in terametres", flat_modes, ic_trap_ball_start)},
};
static const ic_preset presets[] = {{"steep", "steep", "h=50, g=9.8", "15/2", "two impacts"},
                                    {"flat", "flat", "h=50, g=9.8", "15/2", "two impacts"}};

IC_TRAP_BALL_SYSTEM("scaled-guard", "A guard in another unit", "SciML/OrdinaryDiffEq.jl#31", variants)

static const ic_trap_run runs[] = {{.preset = "steep", IC_TRAP_BALL_IMPACTS},
                                   {.preset = "flat", IC_TRAP_BALL_IMPACTS}};

IC_TRAP_OF(scaled_guard, "the time of an event depends on the unit of its guard", "SciML/OrdinaryDiffEq.jl#31",
           .clauses = IC_CLAUSE(1), .floor = true,
           .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_RESIDUAL_TOLERANCE,
                        [IC_SYMPTOM_STATUS] = IC_MISTAKE_ROOT_NOT_CONVERGED});
