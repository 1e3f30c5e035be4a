/* SPDX-License-Identifier: MIT */
/**
 * A clock s' = 1 with a guard at s = 1, and steps of 1/8: the guard is exactly zero at the
 * end of a step.
 *
 * With the test g0 g1 < 0 the zero lies in neither step, with <= in both.
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { S, C };

static const ic_state states[] = {{"s", "s", "clock", "1"}, {"c", "1", "count of events", "1"}};

IC_TRAP_FLOW(flow, 1, 0)
IC_TRAP_VALUE(after_1, x[S] - 1)
IC_TRAP_VALUE(clock_rate, 1)
IC_TRAP_LEAP(count, 0, ("s", "c + 1"), x[S], x[C] + 1)
IC_TRAP_LEAP(start, 0, ("0", "0"), 0, 0)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("hour", "s", "the clock shows 1", +1, after_1, clock_rate, "s - 1", count)};
IC_TRAP_ONE_MODE("mesh", "a zero at the end of a step", "clock", "s = t", flow, IC_TEXTS("1", "0"))
static const ic_preset presets[] = {{"eighths", "mesh", "", "2", "steps of 1/8"}};

IC_TRAP_SYSTEM("on-the-mesh", "An event where a step ends", "SciML/DifferentialEquations.jl#215")

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "hour", 1, 0}};

/* The rates are constant, so that a step may have any length. */
static const ic_trap_run runs[] = {{.preset = "eighths",
                                    .exact_from = 1,
                                    IC_TRAP_EVENTS(events),
                                    .end = {2, 1},
                                    .fastest = INFINITY,
                                    .step = 0.125,
                                    .step_caps = true}};

IC_TRAP_OF(on_the_mesh, "an event where a step ends is in no step, or in two",
           "SciML/DifferentialEquations.jl#215, SciML/DifferentialEquations.jl#258, ThummeTo/FMI.jl#271",
           .clauses = IC_CLAUSE(1),
           .mistakes = {
               [IC_SYMPTOM_MISSING] = IC_MISTAKE_EVENT_LOST, [IC_SYMPTOM_EXTRA] = IC_MISTAKE_FIRED_AGAIN});
