/* SPDX-License-Identifier: MIT */
/**
 * A ball that is on the floor at the start, g = 10 m/s^2, e = 1/2.
 *
 *     leaving,  v0 = 5:   no impact at 0; impacts at 1 and 3/2
 *     entering, v0 = -5:  an impact at 0, then at 1/2
 *     resting,  v0 = 0:   would fall: an impact at 0 without rebound, and it stays
 *
 * A zero has no sign. A solver that takes the first value for a sign fires where the ball leaves,
 * or never fires where it enters.
 */
#include "audit/solver/traps.h"

static const ic_preset presets[] = {
    {"leaving", "ball", "h=0, v0=5", "8/5", "thrown up from the floor"},
    {"entering", "ball", "h=0, v0=-5", "3/5", "thrown into the floor"},
    {"resting", "ball", "h=0, v0=0", "1", "laid on the floor"},
};

IC_TRAP_BALL_SYSTEM("zero-at-start", "A guard that is zero at the start", "SciML/OrdinaryDiffEq.jl#2689",
                    ic_trap_ball_variants)

static const ic_trap_event leaving[] = {{IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 1, 0},
                                        {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 1.5, 0}};
static const ic_trap_event entering[] = {{IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 0, 0},
                                         {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 0.5, 0}};
static const ic_trap_event resting[] = {{IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 0, 0}};

/*
 * Heights at the end are small: x = v tau - 5 tau^2 with v = 5/4 or 5/2 and tau = 1/10; 8 = 2 v0
 * time_scale/scale.
 */
static const ic_trap_run runs[] = {
    {.preset = "leaving", .exact_from = 2, IC_TRAP_EVENTS(leaving), .end = {0.075, 0.25}, .dt = 2, .dx = 8},
    {.preset = "entering", .exact_from = 2, IC_TRAP_EVENTS(entering), .end = {0.075, 0.25}, .dt = 2, .dx = 8},
    {.preset = "resting", .exact_from = 2, IC_TRAP_EVENTS(resting), .end = {0, 0}},
};

IC_TRAP_OF(zero_at_start,
           "a guard that is zero at the start fires although it must not, or does not fire although it must",
           "SciML/OrdinaryDiffEq.jl#2689, SciML/DifferentialEquations.jl#601, rtqichen/torchdiffeq#285, "
           "AMICI-dev/AMICI#55, llnl/sundials#614",
           .clauses = IC_CLAUSE(2), .floor = true,
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_ZERO_AT_START,
                        [IC_SYMPTOM_EXTRA] = IC_MISTAKE_ZERO_AT_START,
                        [IC_SYMPTOM_WORK] = IC_MISTAKE_ZERO_AT_START});
