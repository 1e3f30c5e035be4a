/* SPDX-License-Identifier: MIT */
/**
 * A two-point control: u' = 1 up to 1/1000, then u' = -3 down to -1/1000, and repeats: 375 periods
 * a second, 750 events by 0.9995 s.
 *
 * That is fast and regular. A solver that detects chatter by counting events stops at the
 * hundredth.
 */
#include "audit/solver/traps.h"

enum { U };
enum { ON, OFF };
enum { SWITCHES = 750 };

static const ic_state states[] = {{"u", "1", "deviation", "1/1000"}};

IC_TRAP_FLOW(on, 1)
IC_TRAP_FLOW(off, -3)
IC_TRAP_VALUE(above_upper, x[U] - 0.001)
IC_TRAP_VALUE(above_lower, x[U] + 0.001)
IC_TRAP_VALUE(on_rate, 1)
IC_TRAP_VALUE(off_rate, -3)
IC_TRAP_JUMP(pass, x[U])
IC_TRAP_LEAP(start, ON, ("0"), 0)

static const ic_branch to_off[] = {{.mode = OFF}};
static const ic_branch to_on[] = {{.mode = ON}};

static const ic_guard on_guards[] = {
    IC_TRAP_EVENT_TO("upper", "1", "the upper limit", +1, above_upper, on_rate, "u - 0.001", pass, to_off)};
static const ic_guard off_guards[] = {
    IC_TRAP_EVENT_TO("lower", "1", "the lower limit", -1, above_lower, off_rate, "u + 0.001", pass, to_on)};
static const ic_mode modes[] = {
    [ON] = {IC_TRAP_MODE("on", "rises", on, IC_TEXTS("1"), on_guards)},
    [OFF] = {IC_TRAP_MODE("off", "falls", off, IC_TEXTS("-3"), off_guards)},
};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("hysteresis", "two-point control", modes, start)}};
static const ic_preset presets[] = {{"second", "hysteresis", "", "0.9995", "750 switches"}};

static const ic_case system = {
    IC_TRAP_CASE("rapid-hysteresis", "Many events that are not chatter", "OpenModelica/OpenModelica#12190"),
    IC_TRAP_TABLES(states, variants, presets), .time_scale = "1/1000"};

static ic_trap_event change_event(size_t i)
{
    const size_t pair = i / 2;
    const double period = (double)pair / 375;
    if (i % 2 == 0) return (ic_trap_event){IC_EVENT_GUARD, "upper", 0.001 + period, 0};
    return (ic_trap_event){IC_EVENT_GUARD, "lower", 1.0 / 600 + period, 0};
}

static const ic_trap_run runs[] = {{.preset = "second",
                                    .exact_from = 1,
                                    .event = change_event,
                                    .n_events = SWITCHES,
                                    .end = {-0.0005},
                                    .dx = 4}};

IC_TRAP_OF(rapid_hysteresis, "a fast, regular run is mistaken for chatter and stopped",
           "OpenModelica/OpenModelica#12190, lbl-srg/modelica-buildings#3735",
           .clauses = IC_CLAUSE(5) | IC_CLAUSE(6),
           .mistakes = {
               [IC_SYMPTOM_STATUS] = IC_MISTAKE_FALSE_ALARM, [IC_SYMPTOM_WORK] = IC_MISTAKE_FALSE_ALARM});
