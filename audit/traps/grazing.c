/* SPDX-License-Identifier: MIT */
/**
 * x = 1 + A cos t comes to 1 - A at t = pi. For A = 1 - 1e-6 it stays above zero, for A = 1 it
 * touches it, and for A = 1 + 1e-6 it is below for 2.8e-3 s from t = acos(-1/A) on.
 *
 * A touch is not an event. A test for <= 0 at the ends of steps counts it if a step happens to end
 * there, and misses the dip.
 */
#include "audit/solver/traps.h"

enum { X, V, C };
enum { A };

static const ic_parameter parameters[] = {[A] = {"A", "1", "amplitude", "1", "(0, inf)"}};
static const ic_state states[] = {
    {"x", "m", "height", "1"}, {"v", "m/s", "velocity", "1"}, {"c", "1", "count of events", "1"}};

IC_TRAP_FLOW(flow, x[V], 1 - x[X], 0)
IC_TRAP_VALUE(height, x[X])
IC_TRAP_VALUE(height_rate, x[V])
IC_TRAP_LEAP(count, 0, ("x", "v", "c + 1"), x[X], x[V], x[C] + 1)
IC_TRAP_LEAP(start, 0, ("1 + A", "0", "0"), 1 + par[A], 0, 0)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("ground", "m", "it falls below zero", -1, height, height_rate, "x", count)};
IC_TRAP_ONE_MODE("swing", "an oscillation that just reaches zero", "swing", "x'' = 1 - x", flow,
                 IC_TEXTS("v", "1 - x", "0"))
static const ic_preset presets[] = {{"short", "swing", "A=0.999999", "6", "not quite"},
                                    {"touching", "swing", "A=1", "6", "a touch"},
                                    {"over", "swing", "A=1.000001", "6", "a short dip"}};

static const ic_case system = {
    IC_TRAP_CASE("grazing", "A guard that touches zero, or nearly", "llnl/sundials#881"),
    IC_TRAP_PARAMETERS(parameters), IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

static const ic_trap_event dip[] = {{IC_EVENT_GUARD, "ground", 3.1401784406166754143330157805465, 0}};

/* the ends are 1 + A cos 6, -A sin 6; in the dip the guard's rate is 1.4e-3 m/s */
static const ic_trap_run runs[] = {
    {.preset = "short", .end = {1.96016932648007937017963175227, 0.279415218783427673885682635056, 0}},
    {.preset = "touching", .end = {1.96017028665036602054565229792, 0.279415498198925872811555446612, 0}},
    {.preset = "over",
     IC_TRAP_EVENTS(dip),
     .end = {1.96017124682065267091167284358, 0.279415777614424071737428258167, 1},
     .dt = 1e3},
};

IC_TRAP_OF(grazing, "the steps decide whether a touch is an event and whether a short dip is one",
           "llnl/sundials#881", .clauses = IC_CLAUSE(7) | IC_CLAUSE(8),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_CROSSINGS_LOST_IN_STEP,
                        [IC_SYMPTOM_EXTRA] = IC_MISTAKE_TOUCH_FIRES,
                        [IC_SYMPTOM_AGAIN] = IC_MISTAKE_TOUCH_FIRES});
