/* SPDX-License-Identifier: MIT */
/**
 * The values beyond an event are not numbers:
 *
 *     guard:  x' = -1 from 1, guard sqrt(x) - 1/2: at t = 3/4, x = 1/4, it turns to x' = 1; x(2) = 3/2
 *     flow:   x' = -sqrt(x) from 1, sqrt(x) = 1 - t/2: at t = 9/5, x = 1/100, it rests
 *
 * A step beyond x = 0 meets the root of a negative number. Comparisons with NAN are false: a loop
 * never ends, or a crossing is not seen. A solver may report that a value is not finite instead of
 * giving the answer (clause 10); it must not continue.
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { X };
enum { FALLING, AFTER };

static const ic_state states[] = {{"x", "m", "position", "1"}};

IC_TRAP_FLOW(down, -1)
IC_TRAP_FLOW(up, 1)
IC_TRAP_FLOW(drain, -sqrt(x[X]))
IC_TRAP_FLOW(rest, 0)
IC_TRAP_VALUE(root, sqrt(x[X]) - 0.5)
IC_TRAP_VALUE(root_rate, -0.5 / sqrt(x[X]))
IC_TRAP_VALUE(level, x[X] - 0.01)
IC_TRAP_VALUE(level_rate, -sqrt(x[X]))
IC_TRAP_JUMP(pass, x[X])
IC_TRAP_LEAP(start, FALLING, ("1"), 1)

static const ic_branch after[] = {{.mode = AFTER}};

static const ic_guard root_guards[] = {
    IC_TRAP_EVENT_TO("quarter", "1", "x is 1/4", -1, root, root_rate, NULL, pass, after)};
static const ic_guard level_guards[] = {
    IC_TRAP_EVENT_TO("level", "m", "x is 1/100", -1, level, level_rate, "x - 1/100", pass, after)};
static const ic_mode guard_modes[] = {
    [FALLING] = {IC_TRAP_MODE("down", "x' = -1", down, IC_TEXTS("-1"), root_guards)},
    [AFTER] = {.name = "up", .meaning = "x' = 1", .flow = up, .linear = IC_TEXTS("1")},
};
static const ic_mode flow_modes[] = {
    [FALLING] = {IC_TRAP_MODE("drain", "x' = -sqrt(x)", drain, NULL, level_guards)},
    [AFTER] = {.name = "rest", .meaning = "x' = 0", .flow = rest, .linear = IC_TEXTS("0")},
};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("guard", "the guard has an end to its domain", guard_modes, start)},
    {IC_TRAP_VARIANT("flow", "the flow has an end to its domain", flow_modes, start)},
};
static const ic_preset presets[] = {{"guard", "guard", "", "2", "turns at 1/4"},
                                    {"flow", "flow", "", "3", "rests at 1/100"}};

IC_TRAP_SYSTEM("nan-beyond", "No number beyond the event", "llnl/sundials#258")

static const ic_trap_event quarter[] = {{IC_EVENT_GUARD, "quarter", 0.75, 0}};
static const ic_trap_event at_level[] = {{IC_EVENT_GUARD, "level", 1.8, 0}};

/* At the end of the drain its rate is 1/10: an error in level is ten times as large in time. */
static const ic_trap_run runs[] = {
    {.preset = "guard",
     .exact_from = 1,
     IC_TRAP_EVENTS(quarter),
     .end = {1.5},
     .or_status = IC_NOT_FINITE,
     .or_t = NAN,
     .dx = 4},
    {.preset = "flow",
     IC_TRAP_EVENTS(at_level),
     .end = {0.01},
     .or_status = IC_NOT_FINITE,
     .or_t = NAN,
     .dt = 10},
};

IC_TRAP_OF(nan_beyond, "values that are not finite beyond an event make a loop endless, or hide the event",
           "llnl/sundials#258", .clauses = IC_CLAUSE(10),
           .mistakes = {[IC_SYMPTOM_STATUS] = IC_MISTAKE_NOT_FINITE});
