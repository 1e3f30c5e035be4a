/* SPDX-License-Identifier: MIT */
/**
 * x = (t - 2)(t - 6)(t - 10): x' = v, v' = a, a' = 6.
 *
 * Polynomials are followed without error, so that steps grow until all three zeros lie in one. A
 * comparison of signs at the ends of steps finds one of them. The middle one is not an event of a
 * guard for rising crossings.
 */
#include "audit/solver/traps.h"

enum { X, V, A };

static const ic_state states[] = {{"x", "m", "cubic polynomial", "120"},
                                  {"v", "m/s", "its rate", "92"},
                                  {"a", "m/s^2", "rate of that", "36"}};

IC_TRAP_FLOW(flow, x[V], x[A], 6)
IC_TRAP_VALUE(position, x[X])
IC_TRAP_VALUE(velocity, x[V])
IC_TRAP_JUMP(pass, x[X], x[V], x[A])
IC_TRAP_LEAP(start, 0, ("-120", "92", "-36"), -120, 92, -36)

static const ic_branch pass_branches[] = {{.mode = 0}};

static const ic_guard both_directions[] = {
    IC_TRAP_EVENT("zero", "m", "the polynomial is zero", 0, position, velocity, "x", pass)};
static const ic_guard upwards[] = {
    IC_TRAP_EVENT("zero", "m", "it rises through zero", +1, position, velocity, "x", pass)};
static const ic_mode both_modes[] = {
    {IC_TRAP_MODE("cubic", "x''' = 6", flow, IC_TEXTS("v", "a", "6"), both_directions)}};
static const ic_mode rising_modes[] = {
    {IC_TRAP_MODE("cubic", "x''' = 6", flow, IC_TEXTS("v", "a", "6"), upwards)}};

static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("both", "crossings in both directions", both_modes, start)},
    {IC_TRAP_VARIANT("rising", "rising crossings only", rising_modes, start)},
};
static const ic_preset presets[] = {{"both", "both", "", "12", "all three"},
                                    {"rising", "rising", "", "12", "the first and the third"}};

IC_TRAP_SYSTEM("three-crossings", "Three zeros in one long step", "scipy/scipy#9228")

static const ic_trap_event all[] = {
    {IC_EVENT_GUARD, "zero", 2, 0}, {IC_EVENT_GUARD, "zero", 6, 0}, {IC_EVENT_GUARD, "zero", 10, 0}};
static const ic_trap_event rising[] = {{IC_EVENT_GUARD, "zero", 2, 0}, {IC_EVENT_GUARD, "zero", 10, 0}};

/* |x'| is 16 m/s at the least where x = 0, and x is up to 120 m: dt = 120/16 */
static const ic_trap_run runs[] = {
    {.preset = "both", .exact_from = 3, IC_TRAP_EVENTS(all), .end = {120, 92, 36}, .dt = 7.5},
    {.preset = "rising", .exact_from = 3, IC_TRAP_EVENTS(rising), .end = {120, 92, 36}, .dt = 7.5},
};

IC_TRAP_OF(three_crossings, "signs at the ends of steps show one crossing of three",
           "scipy/scipy#9228, jrenaud90/CyRK#98", .clauses = IC_CLAUSE(1) | IC_CLAUSE(7),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_CROSSINGS_LOST_IN_STEP,
                        [IC_SYMPTOM_EXTRA] = IC_MISTAKE_DIRECTION_IGNORED});
