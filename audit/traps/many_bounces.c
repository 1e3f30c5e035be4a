/* SPDX-License-Identifier: MIT */
/**
 * A ball that loses nothing: impacts at (2k + 1) t_0, t_0 = sqrt(2h/g), for ever.
 *
 * The impact leaves the ball a few units in the last place below the floor. If the next step
 * begins below and ends below, no change of sign is seen, and the ball falls for ever. It takes
 * many bounces to meet the rounding for it.
 */
#include "audit/solver/traps.h"

static const ic_preset presets[] = {
    {"short", "ball", "h=50, g=9.8, e=1", "50", "8 impacts"},
    {"long", "ball", "h=50, g=9.8, e=1", "1000", "157 impacts"},
    {"exact", "ball", "h=1, g=8, e=1", "1000", "1000 impacts, whose times are exact in binary"},
};

IC_TRAP_BALL_SYSTEM("many-bounces", "A ball that bounces for long", "SciML/DifferentialEquations.jl#138",
                    ic_trap_ball_variants)

/* t_0 = 10 sqrt(5)/7 */
IC_TRAP_SERIES(of_50_m, IC_TRAP_BALL_FLOOR, (2 * (double)k + 1) * 3.19438282499969956629881952676)
IC_TRAP_SERIES(of_1_m, IC_TRAP_BALL_FLOOR, (double)k + 0.5)

/*
 * An error in the speed lasts: if each of n flights adds a v, the last impact is off by the sum of
 * 2 k a v/g, or n^2 a v/g; n a is e, and so dt = n v/g, with v = sqrt(2 g h). The end is off by v
 * dt in height, and by g dt in speed: dx.
 */
#define RUN(name_, event_, n_, v_over_g_, x_, v_)                                                              \
    {                                                                                                          \
        .preset = (name_), .exact_from = 2, .event = (event_), .n_events = (n_), .end = {(x_), (v_)},          \
        .dt = (n_) * (v_over_g_), .dx = 2 * (n_)                                                               \
    }
static const ic_trap_run runs[] = {
    RUN("short", of_50_m, 8, 3.2, 43.9613479976445997827450897903, 10.8792269599528919956549017958),
    RUN("long", of_50_m, 157, 3.2, 4.829089075505414727447742690331, 29.7548290890755054147274477427),
    RUN("exact", of_1_m, 1000, 0.5, 1, 0),
};

IC_TRAP_OF(many_bounces, "after some bounces the ball falls through the floor",
           "SciML/DifferentialEquations.jl#138, SciML/DiffEqBase.jl#487, SciML/DifferentialEquations.jl#696",
           .clauses = IC_CLAUSE(3), .floor = true);
