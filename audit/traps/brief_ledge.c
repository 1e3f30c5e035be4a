/* SPDX-License-Identifier: MIT */
/**
 * A ball thrown up with 10 m/s to 5 m passes a ledge 5e-8 m below its apex:
 *
 *     x = 5 - 5 (t - 1)^2,  x > 5 - 5e-8  for  0.9999 < t < 1.0001.
 *
 * Adaptive steps along a parabola are as long as they may be, and the guard is zero twice within
 * one. Points in between help only if one of them falls into those 2e-4 s.
 */
#include "audit/solver/traps.h"

enum { X, V, C };

static const ic_state states[] = {
    {"x", "m", "height", "5"}, {"v", "m/s", "velocity, upwards", "10"}, {"c", "1", "count of crossings", "1"}};

IC_TRAP_FLOW(flow, x[V], -10, 0)
IC_TRAP_VALUE(above, x[X] - 4.99999995)
IC_TRAP_VALUE(above_rate, x[V])
IC_TRAP_LEAP(count, 0, ("x", "v", "c + 1"), x[X], x[V], x[C] + 1)
IC_TRAP_LEAP(start, 0, ("0", "10", "0"), 0, 10, 0)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("ledge", "m", "the ball passes the ledge", 0, above, above_rate, "x - 4.99999995", count)};
IC_TRAP_ONE_MODE("ledge", "a ledge just below the apex", "flight", "free fall", flow, IC_TEXTS("v", "-10", "0"))
static const ic_preset presets[] = {{"throw", "ledge", "", "2", "up and down again"}};

IC_TRAP_SYSTEM("brief-ledge", "A guard that is positive for 2e-4 s", "patrick-kidger/diffrax#507")

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "ledge", 0.9999, 0},
                                       {IC_EVENT_GUARD, "ledge", 1.0001, 0}};

/*
 * The rate of the guard there is 1e-3 m/s: an error of 5 e in height is an error of 5e3 e in time.
 */
static const ic_trap_run runs[] = {
    {.preset = "throw", .exact_from = 2, IC_TRAP_EVENTS(events), .end = {0, -10, 2}, .dt = 5e3}};

IC_TRAP_OF(brief_ledge, "a guard goes through zero and back within one easy step",
           "patrick-kidger/diffrax#507, jrenaud90/CyRK#98, RobotLocomotion/drake#6064", .clauses = IC_CLAUSE(7),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_CROSSINGS_LOST_IN_STEP});
