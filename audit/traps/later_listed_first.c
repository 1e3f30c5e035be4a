/* SPDX-License-Identifier: MIT */
/**
 * A clock s' = 1 and a number u. The guard listed first is due at s = 1 and doubles u; the one
 * listed second is due at s = 1/2 and adds 1: (1 + 1) 2 = 4.
 *
 * If both fall into one step, a solver that handles them in the order of the list gets
 * 1 2 + 1 = 3, and one that handles only the first gets 2.
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { U, S };

static const ic_state states[] = {{"u", "1", "number", "1"}, {"s", "s", "clock", "1"}};

IC_TRAP_FLOW(flow, 0, 1)
IC_TRAP_VALUE(after_1, x[S] - 1)
IC_TRAP_VALUE(after_half, x[S] - 0.5)
IC_TRAP_VALUE(clock_rate, 1)
IC_TRAP_LEAP(twice, 0, ("2*u", "s"), 2 * x[U], x[S])
IC_TRAP_LEAP(add_1, 0, ("u + 1", "s"), x[U] + 1, x[S])
IC_TRAP_LEAP(start, 0, ("1", "0"), 1, 0)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("double", "s", "due at 1", +1, after_1, clock_rate, "s - 1", twice),
    IC_TRAP_EVENT("add", "s", "due at 1/2", +1, after_half, clock_rate, "s - 1/2", add_1),
};
IC_TRAP_ONE_MODE("list", "the later one is listed first", "clock", "s = t", flow, IC_TEXTS("0", "1"))
static const ic_preset presets[] = {{"order", "list", "", "2", "add, then double"}};

IC_TRAP_SYSTEM("later-listed-first", "Two events in one step, the later listed first",
               "patrick-kidger/diffrax#639")

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "add", 0.5, 0}, {IC_EVENT_GUARD, "double", 1, 0}};

/* The rates are constant, so that a step may have any length. */
static const ic_trap_run runs[] = {{.preset = "order",
                                    .exact_from = 1,
                                    IC_TRAP_EVENTS(events),
                                    .end = {4, 2},
                                    .fastest = INFINITY,
                                    .step = 2}};

IC_TRAP_OF(later_listed_first, "events in one step are taken in the order of their list",
           "patrick-kidger/diffrax#639, SciML/DiffEqBase.jl#1231", .clauses = IC_CLAUSE(4),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_ORDER_OF_LIST,
                        [IC_SYMPTOM_EXTRA] = IC_MISTAKE_ORDER_OF_LIST,
                        [IC_SYMPTOM_TIME] = IC_MISTAKE_ORDER_OF_LIST});
