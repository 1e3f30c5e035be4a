/* SPDX-License-Identifier: MIT */
/**
 * A ball from 50 m, g = 9.8, e = 4/5: one impact at t_0 = 10 sqrt(5)/7, and then x = v (t - t_0) -
 * g (t - t_0)^2/2.
 *
 * A method whose last stage is the first of the next step takes the velocity from before the impact
 * into the step after it, a multistep method its history. Velocities come out right, and the height
 * does not.
 */
#include "audit/solver/traps.h"

static const ic_preset presets[] = {{"drop", "ball", "h=50, g=9.8, e=4/5", "4", "one impact"}};

IC_TRAP_BALL_SYSTEM("stale-slope", "The first step after an impact", "SciML/OrdinaryDiffEq.jl#486",
                    ic_trap_ball_variants)

static const ic_trap_event events[] = {
    {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 3.19438282499969956629881952676, 0}};

static const ic_trap_run runs[] = {{.preset = "drop",
                                    .exact_from = 2,
                                    IC_TRAP_EVENTS(events),
                                    .end = {16.9956521319788013980447058081, 17.148913032994700349511176452},
                                    .dx = 4}};

IC_TRAP_OF(stale_slope, "the first step after a jump uses the slope from before it",
           "SciML/OrdinaryDiffEq.jl#486, OpenModelica/OpenModelica#10389", .floor = true);
