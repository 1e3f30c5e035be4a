/* SPDX-License-Identifier: MIT */
/**
 * x' = 1, and at x = 1 it goes back by d = 1/1024: events at 1 + k d, all exact in binary.
 *
 * A solver that skips a part of a step after an event, to avoid its repetition, skips the events
 * that follow. The intervals are equal: nothing accumulates.
 */
#include "audit/solver/traps.h"

enum { X, C };
enum { STEPS_BACK = 10 };
#define D (1.0 / 1024)

static const ic_state states[] = {{"x", "m", "position", "1"}, {"c", "1", "count of events", "1"}};

IC_TRAP_FLOW(flow, 1, 0)
IC_TRAP_VALUE(beyond, x[X] - 1)
IC_TRAP_VALUE(beyond_rate, 1)
IC_TRAP_LEAP(step_back, 0, ("1 - 1/1024", "c + 1"), 1 - D, x[C] + 1)
IC_TRAP_LEAP(start, 0, ("0", "0"), 0, 0)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("mark", "m", "the point reaches 1", +1, beyond, beyond_rate, "x - 1", step_back)};
IC_TRAP_ONE_MODE("steps", "back by 1/1024 each time", "motion", "constant velocity", flow, IC_TEXTS("1", "0"))
static const ic_preset presets[] = {{"ten", "steps", "", "1 + 19/2048", "ten events"}};

IC_TRAP_SYSTEM("close-successors", "Events that follow each other closely", "SciML/OrdinaryDiffEq.jl#3549")

IC_TRAP_SERIES(mark_event, "mark", 1 + (double)k * D)

static const ic_trap_run runs[] = {{.preset = "ten",
                                    .exact_from = 1,
                                    .event = mark_event,
                                    .n_events = STEPS_BACK,
                                    .end = {1 - D / 2, STEPS_BACK}}};

IC_TRAP_OF(close_successors, "events just after another are skipped with its repetition",
           "SciML/OrdinaryDiffEq.jl#3549, SciML/DiffEqBase.jl#672, Hipparchus-Math/hipparchus#184",
           .clauses = IC_CLAUSE(3) | IC_CLAUSE(6),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_SUCCESSOR_SKIPPED,
                        [IC_SYMPTOM_END] = IC_MISTAKE_SUCCESSOR_SKIPPED,
                        [IC_SYMPTOM_STATUS] = IC_MISTAKE_FALSE_ALARM});
