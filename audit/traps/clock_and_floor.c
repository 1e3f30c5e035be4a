/* SPDX-License-Identifier: MIT */
/**
 * A ball falls on a floor that drops from f = 0 to -12 at t = 1, the very instant at which the ball
 * would meet it:
 *
 *     x = 4 - 4 t^2  until  x - f = 0;  then x = f, v = -v/2
 *
 * The clock precedes (clause 9): no impact at t = 1, one at t = 2 with -16 m/s. If the guard came
 * first, there would be an impact at 1, and x = -3 at the end. In "alone" the floor is far below,
 * and only the clock fires.
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { X, V, F };
enum { START_X };

static const ic_parameter parameters[] = {[START_X] = {"x0", "m", "height at the start", "4", "(-inf, inf)"}};
static const ic_state states[] = {
    {"x", "m", "height", "4"}, {"v", "m/s", "velocity, upwards", "8"}, {"f", "m", "height of the floor", "4"}};

IC_TRAP_FLOW(flow, x[V], -8, 0)
IC_TRAP_VALUE(clearance, x[X] - x[F])
IC_TRAP_VALUE(clearance_rate, x[V])
IC_TRAP_LEAP(bounce, 0, ("f", "-v/2", "f"), x[F], -0.5 * x[V], x[F])
IC_TRAP_LEAP(drop_floor, 0, ("x", "v", "f - 12"), x[X], x[V], x[F] - 12)
IC_TRAP_JUMP(start, par[START_X], 0, 0)

static const ic_branch start_branches[] = {{.mode = 0, .state = IC_TEXTS("x0", "0", "0")}};

static double single_count(int n, const double *par)
{
    (void)par;
    return n == 0 ? 1 : INFINITY;
}

static const ic_guard guards[] = {
    IC_TRAP_EVENT("floor", "m", "the ball meets the floor", -1, clearance, clearance_rate, "x - f", bounce)};
static const ic_mode modes[] = {{IC_TRAP_MODE("flight", "free fall", flow, IC_TEXTS("v", "-8", "0"), guards)}};
static const ic_time_event clocks[] = {{.name = "drop",
                                        .meaning = "the floor drops",
                                        .when = single_count,
                                        .linear = "1",
                                        .occurrences = 1,
                                        .jump = IC_LINEAR_JUMP(drop_floor, drop_floor_branches)}};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("trapdoor", "a floor that drops at a given time", modes, start), .time_events = clocks,
     .n_time_events = IC_COUNT(clocks)}};
static const ic_preset presets[] = {{"together", "trapdoor", "", "5/2", "as the ball arrives"},
                                    {"alone", "trapdoor", "x0=100", "5/2", "with the ball far above"}};

static const ic_case system = {
    IC_TRAP_CASE("clock-and-floor", "A time event at the instant of an impact", "modelica/Reference-FMUs#72"),
    IC_TRAP_PARAMETERS(parameters), IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

static const ic_trap_event together[] = {{IC_EVENT_TIME, "drop", 1, 0}, {IC_EVENT_GUARD, "floor", 2, 0}};
static const ic_trap_event alone[] = {{IC_EVENT_TIME, "drop", 1, 0}};

static const ic_trap_run runs[] = {
    {.preset = "together", .exact_from = 2, IC_TRAP_EVENTS(together), .end = {-9, 4, -12}, .dx = 4},
    {.preset = "alone", .exact_from = 2, IC_TRAP_EVENTS(alone), .end = {75, -20, -12}, .dx = 25},
};

IC_TRAP_OF(clock_and_floor,
           "a time event and a guard at one instant: one is lost, or both are handled in the wrong order",
           "modelica/Reference-FMUs#72, modelica/Reference-FMUs#71, CATIA-Systems/FMPy#692, "
           "OpenModelica/OpenModelica#13291",
           .clauses = IC_CLAUSE(9),
           .mistakes = {[IC_SYMPTOM_MISSING] = IC_MISTAKE_TIME_EVENT_LATE,
                        [IC_SYMPTOM_EXTRA] = IC_MISTAKE_TIME_EVENT_LATE,
                        [IC_SYMPTOM_TIME] = IC_MISTAKE_TIME_EVENT_LATE});
