/* SPDX-License-Identifier: MIT */
/**
 * A point with 10 m/s meets a wall at 1.05 m that is 2e-4 m thick. It is back at x = 1.0499 - 10 (t
 * - 0.10499).
 *
 * A test for overlap at the ends of steps finds none, and the point tunnels: everything after that
 * is wrong. The guard is quadratic, so that solvers which need a linear view skip this trap.
 */
#include "audit/solver/traps.h"

enum { X, V };

static const ic_state states[] = {{"x", "m", "position", "1"}, {"v", "m/s", "velocity", "10"}};

IC_TRAP_FLOW(flow, x[V], 0)
IC_TRAP_VALUE(outside, (x[X] - 1.05) * (x[X] - 1.05) - 1e-8)
IC_TRAP_VALUE(outside_rate, 2 * (x[X] - 1.05) * x[V])
IC_TRAP_LEAP(reverse, 0, ("x", "-v"), x[X], -x[V])
IC_TRAP_LEAP(start, 0, ("0", "10"), 0, 10)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("wall", "m^2", "the point enters the wall", -1, outside, outside_rate, NULL, reverse)};
IC_TRAP_ONE_MODE("wall", "a thin wall that reflects", "flight", "constant velocity", flow, IC_TEXTS("v", "0"))
static const ic_preset presets[] = {{"shot", "wall", "", "1/4", "there and back"}};

static const ic_case system = {
    IC_TRAP_CASE("thin-wall", "A wall thinner than a step", "bulletphysics/bullet3#1912"),
    IC_TRAP_TABLES(states, variants, presets), .time_scale = "1/10"};

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "wall", 0.10499, 0}};

static const ic_trap_run runs[] = {
    {.preset = "shot", .exact_from = 1, IC_TRAP_EVENTS(events), .end = {-0.4002, -10}, .dx = 4}};

IC_TRAP_OF(thin_wall, "a body moves farther in a step than the wall is thick, and passes",
           "bulletphysics/bullet3#1912, liabru/matter-js#5", .clauses = IC_CLAUSE(7),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_CROSSINGS_LOST_IN_STEP});
