/* SPDX-License-Identifier: MIT */
/**
 * A ball, g = 9.8, h = 50, e = 1/2, whose guard is x^3: the same zeros, but so flat that secants
 * crawl (the error falls by a third with each), a residual of 1e-6 is met 2e-4 s from the zero, and
 * Newton's and Hénon's steps divide by a rate that vanishes.
 */
#include "audit/solver/traps.h"

enum { X = IC_TRAP_BALL_X, V = IC_TRAP_BALL_V };

IC_TRAP_VALUE(cube, x[X] * x[X] * x[X])
IC_TRAP_VALUE(cube_rate, 3 * x[X] * x[X] * x[V])

/* the flight after it starts from a zero of order 3 */
static const ic_branch branches[] = {
    {.mode = IC_TRAP_BALL_FLIGHT, .state = ic_trap_ball_reversed, IC_DEPARTS(0, 3, +1)}};
IC_TRAP_BALL_MODES(cube, "m^3", NULL, branches)
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("cube", "the guard is the cube of the height", cube_modes, ic_trap_ball_start)}};
static const ic_preset presets[] = {{"drop", "cube", "h=50, g=9.8", "15/2", "two impacts"}};

IC_TRAP_BALL_SYSTEM("cubed-guard", "A guard with a zero of order 3", "SciML/DiffEqBase.jl#671", variants)

static const ic_trap_run runs[] = {{.preset = "drop", IC_TRAP_BALL_IMPACTS}};

IC_TRAP_OF(cubed_guard, "a root of order 3 is reported far from its place, or is not found",
           "SciML/DiffEqBase.jl#671", .clauses = IC_CLAUSE(1) | IC_CLAUSE(3), .floor = true,
           .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_RESIDUAL_TOLERANCE,
                        [IC_SYMPTOM_STATUS] = IC_MISTAKE_ROOT_NOT_CONVERGED});
