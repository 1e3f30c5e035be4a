/* SPDX-License-Identifier: MIT */
/**
 * u1' = 1/2; u2' = 1 until u2 = 1, where it sticks: u2' = 0, and the guard u2 - 1 stays at zero for
 * good. u1 reaches 5 at t = 10.
 *
 * A solver that fires a guard whenever it is zero fires it with each step, or loops, and loses the
 * other event.
 */
#include "audit/solver/traps.h"

enum { U1, U2 };
enum { SLIDING, STUCK };

static const ic_state states[] = {{"u1", "m", "a body that goes on", "5"},
                                  {"u2", "m", "a body that sticks", "1"}};

IC_TRAP_FLOW(sliding, 0.5, 1)
IC_TRAP_FLOW(stuck, 0.5, 0)
IC_TRAP_VALUE(at_mark, x[U1] - 5)
IC_TRAP_VALUE(at_mark_rate, 0.5)
IC_TRAP_VALUE(at_stop, x[U2] - 1)
IC_TRAP_VALUE(at_stop_sliding_rate, 1)
IC_TRAP_VALUE(at_stop_stuck_rate, 0)
IC_TRAP_JUMP(pass, x[U1], x[U2])
IC_TRAP_LEAP(stick, STUCK, ("u1", "1"), x[U1], 1)
IC_TRAP_LEAP(start, SLIDING, ("0", "0"), 0, 0)

static const ic_branch pass_branches[] = {{.mode = IC_SAME_MODE}};

#define MARK IC_TRAP_EVENT("mark", "m", "the first body passes 5", 0, at_mark, at_mark_rate, "u1 - 5", pass)
#define STOP(rate_) IC_TRAP_EVENT("stop", "m", "the second body is at 1", 0, at_stop, rate_, "u2 - 1", stick)
static const ic_guard sliding_guards[] = {MARK, STOP(at_stop_sliding_rate)};
static const ic_guard stuck_guards[] = {MARK, STOP(at_stop_stuck_rate)};

static const ic_mode modes[] = {
    [SLIDING] = {IC_TRAP_MODE("sliding", "both move", sliding, IC_TEXTS("1/2", "1"), sliding_guards)},
    [STUCK] = {IC_TRAP_MODE("stuck", "the second body stays", stuck, IC_TEXTS("1/2", "0"), stuck_guards)},
};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("sticking", "a guard that stays at zero", modes, start)}};
static const ic_preset presets[] = {{"stop", "sticking", "", "20", "one sticks, one goes on"}};

IC_TRAP_SYSTEM("stuck-at-zero", "A guard that stays at zero after its event", "SciML/OrdinaryDiffEq.jl#3627")

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "stop", 1, 0}, {IC_EVENT_GUARD, "mark", 10, 0}};

/* u1 is slow: 5 e m are 10 e s */
static const ic_trap_run runs[] = {
    {.preset = "stop", .exact_from = 1, IC_TRAP_EVENTS(events), .end = {10, 1}, .dt = 10}};

IC_TRAP_OF(stuck_at_zero, "a guard that stays at zero fires with each step",
           "SciML/OrdinaryDiffEq.jl#3627, llnl/sundials#881", .clauses = IC_CLAUSE(3),
           .mistakes = {[IC_SYMPTOM_EXTRA] = IC_MISTAKE_FIRED_AGAIN,
                        [IC_SYMPTOM_STATUS] = IC_MISTAKE_FIRED_AGAIN,
                        [IC_SYMPTOM_WORK] = IC_MISTAKE_FIRED_AGAIN,
                        [IC_SYMPTOM_MISSING] = IC_MISTAKE_EVENT_LOST});
