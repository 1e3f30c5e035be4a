/* SPDX-License-Identifier: MIT */
/**
 * x' = -1 from 1. The guard "pass" is x = 0, and lifts x to 1 again; the guard "reset" is x = -1, and does the
 * same, so that a pass that does not fire comes again. "pass" has a condition, which turns on or off a thousandth
 * of a second before the crossing, or after it:
 *
 *     on-before:  enabled while x < 1/1000:   fires at 1, 2, 3, 4
 *     off-after:  enabled while x > -1/1000:  fires at 1, 2, 3, 4
 *     off-before: enabled while x > 1/1000:   never fires; "reset" at 2 and 4
 *     on-after:   enabled while x < -1/1000:  never fires; "reset" at 2 and 4
 *
 * A guard fires only if it is enabled at its crossing (clause 1). A solver that asks at the start of the step has
 * the two with "before" wrong, one that asks at its end the two with "after".
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { X, U };
enum { SIGN, TURNS };

static const ic_parameter parameters[] = {
    [SIGN] = {"s", "1", "1: enabled above the turn, -1: below it", "1", "[-1, 1]"},
    [TURNS] = {"a", "m", "where the condition turns", "1/1000", "(-1, 1)"}};
static const ic_state states[] = {{"x", "m", "position", "1"}, {"u", "1", "number of passes", "1"}};

IC_TRAP_FLOW(flow, -1, 0)
IC_TRAP_VALUE(position, x[X])
IC_TRAP_VALUE(above_reset, x[X] + 1)
IC_TRAP_VALUE(rate, -1)
IC_TRAP_VALUE(condition, par[SIGN] * (x[X] - par[TURNS]))
IC_TRAP_LEAP(count, 0, ("1", "u + 1"), 1, x[U] + 1)
IC_TRAP_LEAP(lift, 0, ("1", "u"), 1, x[U])
IC_TRAP_LEAP(start, 0, ("1", "0"), 1, 0)

static const ic_guard guards[] = {
    {IC_TRAP_GUARD("pass", "m", "x is 0", -1, position, rate, "x"), .enabled = condition,
     .linear_enabled = "s*(x - a)", .jump = IC_LINEAR_JUMP(count, count_branches)},
    IC_TRAP_EVENT("reset", "m", "x is -1", -1, above_reset, rate, "x + 1", lift),
};
IC_TRAP_ONE_MODE("saw", "falls and is lifted", "down", "x' = -1", flow, IC_TEXTS("-1", "0"))
static const ic_preset presets[] = {
    {"on-before", "saw", "s=-1, a=1/1000", "9/2", "turns on just before the crossing"},
    {"off-before", "saw", "s=1, a=1/1000", "9/2", "turns off just before the crossing"},
    {"on-after", "saw", "s=-1, a=-1/1000", "9/2", "turns on just after the crossing"},
    {"off-after", "saw", "s=1, a=-1/1000", "9/2", "turns off just after the crossing"}};

static const ic_case system = {
    IC_TRAP_CASE("condition-in-step", "A condition that turns within the step of the crossing",
                 "OpenModelica/OpenModelica#7657"),
    IC_TRAP_PARAMETERS(parameters), IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

static const ic_trap_event passes[] = {{IC_EVENT_GUARD, "pass", 1, 0},
                                       {IC_EVENT_GUARD, "pass", 2, 0},
                                       {IC_EVENT_GUARD, "pass", 3, 0},
                                       {IC_EVENT_GUARD, "pass", 4, 0}};
static const ic_trap_event resets[] = {{IC_EVENT_GUARD, "reset", 2, 0}, {IC_EVENT_GUARD, "reset", 4, 0}};

/* The rates are constant, so that a step may have any length; none contains a crossing of each guard, nor ends at
   one. */
#define STEPS .fastest = INFINITY, .step = 0.7, .step_caps = true

static const ic_trap_run runs[] = {
    {.preset = "on-before", .exact_from = 1, IC_TRAP_EVENTS(passes), .end = {0.5, 4}, STEPS},
    {.preset = "off-before", .exact_from = 1, IC_TRAP_EVENTS(resets), .end = {0.5, 0}, STEPS},
    {.preset = "on-after", .exact_from = 1, IC_TRAP_EVENTS(resets), .end = {0.5, 0}, STEPS},
    {.preset = "off-after", .exact_from = 1, IC_TRAP_EVENTS(passes), .end = {0.5, 4}, STEPS},
};

IC_TRAP_OF(condition_in_step, "whether a guard is enabled is asked at an end of the step, not at its crossing",
           "OpenModelica/OpenModelica#7657", .clauses = IC_CLAUSE(1),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_EVENT_LOST});
