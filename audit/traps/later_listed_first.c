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
IC_TRAP_JUMP(twice, 2 * x[U], x[S])
IC_TRAP_JUMP(add_1, x[U] + 1, x[S])
IC_TRAP_JUMP(start, 1, 0)

static const ic_branch double_branches[] = {{.mode = 0, .state = IC_TEXTS("2*u", "s")}};
static const ic_branch add_branches[] = {{.mode = 0, .state = IC_TEXTS("u + 1", "s")}};
static const ic_branch start_branches[] = {{.mode = 0, .state = IC_TEXTS("1", "0")}};

static const ic_guard guards[] = {
    {IC_TRAP_GUARD("double", "s", "due at 1", +1, after_1, clock_rate, "s - 1"),
     .jump = IC_LINEAR_JUMP(twice, double_branches)},
    {IC_TRAP_GUARD("add", "s", "due at 1/2", +1, after_half, clock_rate, "s - 1/2"),
     .jump = IC_LINEAR_JUMP(add_1, add_branches)},
};
static const ic_mode modes[] = {{IC_TRAP_MODE("clock", "s = t", flow, IC_TEXTS("0", "1"), guards)}};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("list", "the later one is listed first", modes, start, start_branches)}};
static const ic_preset presets[] = {{"order", "list", "", "2", "add, then double"}};

static const ic_case system = {IC_TRAP_CASE("later-listed-first",
                                            "Two events in one step, the later listed first",
                                            "patrick-kidger/diffrax#639"),
                               IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "add", 0.5, 0}, {IC_EVENT_GUARD, "double", 1, 0}};

/* The rates are constant, so that a step may have any length. */
static const ic_trap_run runs[] = {{.preset = "order",
                                    .exact_from = 1,
                                    IC_TRAP_EVENTS(events),
                                    .end = {4, 2},
                                    .fastest = INFINITY,
                                    .step = 2}};

const ic_trap ic_trap_later_listed_first = {
    .title = "events in one step are taken in the order of their list",
    .cites = "patrick-kidger/diffrax#639, SciML/DiffEqBase.jl#1231",
    IC_TRAP_RUNS(system, runs),
    .clauses = IC_CLAUSE(4),
    .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_ORDER_OF_LIST,
                 [IC_SYMPTOM_EXTRA] = IC_MISTAKE_ORDER_OF_LIST,
                 [IC_SYMPTOM_TIME] = IC_MISTAKE_ORDER_OF_LIST},
};
