/* SPDX-License-Identifier: MIT */
/**
 * Two fields that point at each other:
 *
 *     x > y:  x' = -2,  y' = 3/2          x < y:  x' = 2,  y' = -3
 *
 * From (3/2, 1) they meet at t = 1/7, x = y = 17/14. With modes for the two sides only, no solution
 * exists beyond this time, and a solver must report this in finite time. With Filippov's field on the
 * line, x' = y' = -6/17, it slides to x = y = 31/34 at t = 1.
 */
#include "audit/solver/traps.h"

enum { X, Y };
enum { ABOVE, BELOW, SLIDING };

static const ic_state states[] = {{"x", "1", "", "1"}, {"y", "1", "", "1"}};

IC_TRAP_FLOW(above, -2, 1.5)
IC_TRAP_FLOW(below, 2, -3)
IC_TRAP_FLOW(sliding, -6.0 / 17, -6.0 / 17)
IC_TRAP_VALUE(difference, x[X] - x[Y])
IC_TRAP_VALUE(above_rate, -3.5)
IC_TRAP_VALUE(below_rate, 5)
IC_TRAP_JUMP(pass, x[X], x[Y])
IC_TRAP_LEAP(start, ABOVE, ("3/2", "1"), 1.5, 1)

static const ic_branch to_below[] = {{.mode = BELOW}};
static const ic_branch to_above[] = {{.mode = ABOVE}};
static const ic_branch to_sliding[] = {{.mode = SLIDING}};

#define FALLING(branches_)                                                                                     \
    IC_TRAP_EVENT_TO("down", "1", "x falls below y", -1, difference, above_rate, "x - y", pass, branches_)
#define RISING(branches_)                                                                                      \
    IC_TRAP_EVENT_TO("up", "1", "x rises above y", +1, difference, below_rate, "x - y", pass, branches_)
static const ic_guard switching_down[] = {FALLING(to_below)}, switching_up[] = {RISING(to_above)};
static const ic_guard sliding_down[] = {FALLING(to_sliding)}, sliding_up[] = {RISING(to_sliding)};

static const ic_mode switching_modes[] = {
    [ABOVE] = {IC_TRAP_MODE("above", "x > y", above, IC_TEXTS("-2", "3/2"), switching_down)},
    [BELOW] = {IC_TRAP_MODE("below", "x < y", below, IC_TEXTS("2", "-3"), switching_up)},
};
static const ic_mode sliding_modes[] = {
    [ABOVE] = {IC_TRAP_MODE("above", "x > y", above, IC_TEXTS("-2", "3/2"), sliding_down)},
    [BELOW] = {IC_TRAP_MODE("below", "x < y", below, IC_TEXTS("2", "-3"), sliding_up)},
    [SLIDING] = {.name = "sliding", .meaning = "x = y", .flow = sliding, .linear = IC_TEXTS("-6/17", "-6/17")},
};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("switching", "no mode for the line", switching_modes, start)},
    {IC_TRAP_VARIANT("sliding", "Filippov's field on the line", sliding_modes, start)},
};
static const ic_preset presets[] = {{"switching", "switching", "", "1", "no solution beyond 1/7"},
                                    {"sliding", "sliding", "", "1", "goes on along the line"}};

IC_TRAP_SYSTEM("chatter", "Two fields that point at each other", "OpenModelica/OpenModelica#12190")

static const ic_trap_event once[] = {{IC_EVENT_GUARD, "down", 1.0 / 7, 0}};

/*
 * The number of jumps before a solver notices the chatter is not prescribed, so that events are not
 * compared.
 */
static const ic_trap_run runs[] = {
    {.preset = "switching",
     .exact_from = 1,
     .accumulations_only = true,
     .end = {17.0 / 14, 17.0 / 14},
     .status = IC_CHAIN,
     .t_stop = 1.0 / 7,
     .or_status = IC_ZENO,
     .or_t = 1.0 / 7,
     .dx = 4},
    {.preset = "sliding", .exact_from = 1, IC_TRAP_EVENTS(once), .end = {31.0 / 34, 31.0 / 34}, .dx = 4},
};

IC_TRAP_OF(chatter, "a run switches for ever at one instant, or passes through the line where it should",
           "OpenModelica/OpenModelica#12190, OpenModelica/OpenModelica#10387, mtiller/ModelicaBook#205",
           .clauses = IC_CLAUSE(3) | IC_CLAUSE(5),
           .mistakes = {[IC_SYMPTOM_STATUS] = IC_MISTAKE_CHATTER_PASSED});
