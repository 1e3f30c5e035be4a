/* SPDX-License-Identifier: MIT */
/**
 * A ball from 5 m, g = 10 m/s^2, lands at t = 1. The run ends 1e-6 s before, then, or 1e-6 s after.
 *
 * Where the bracket's end is the step's end, signs do not differ and root finders fail; where the
 * loop ends first, the event is not handled. Rounding decides whether an event at the end
 * itself is reached; but the run must reach its end.
 */
#include "audit/solver/traps.h"

static const ic_preset presets[] = {
    {"before", "ball", "h=5", "1 - 1e-6", "no impact yet"},
    {"then", "ball", "h=5", "1", "the impact is the end"},
    {"after", "ball", "h=5", "1 + 1e-6", "just after it"},
};

IC_TRAP_BALL_SYSTEM("event-at-end", "An event at the end of the run", "OpenModelica/OpenModelica#7758",
                    ic_trap_ball_variants)

static const ic_trap_event events[] = {{IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 1, 0}};

static const ic_trap_run runs[] = {
    {.preset = "before", .exact_from = 2, .end = {9.999995e-6, -9.99999}, .dx = 4},
    {.preset = "then",
     .exact_from = 2,
     IC_TRAP_EVENTS(events),
     .end = {0, 5},
     .last_on_end = true,
     .end_before = {0, -10},
     .dx = 4},
    {.preset = "after", .exact_from = 2, IC_TRAP_EVENTS(events), .end = {4.999995e-6, 4.99999}, .dx = 4},
};

IC_TRAP_OF(
    event_at_end, "an event at the end of the run makes it fail, or is lost",
    "OpenModelica/OpenModelica#7758, OpenModelica/OpenModelica#7761, OpenModelica/OpenModelica#3036, "
    "SciML/JumpProcesses.jl#443, Hipparchus-Math/hipparchus#416, Hipparchus-Math/hipparchus#211",
    .mistakes = {
        [IC_SYMPTOM_MISSING] = IC_MISTAKE_EVENT_LOST, [IC_SYMPTOM_STATUS] = IC_MISTAKE_ROOT_NOT_CONVERGED});
