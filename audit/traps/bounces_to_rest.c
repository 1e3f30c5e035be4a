/* SPDX-License-Identifier: MIT */
/**
 * A ball from 1 m with e = 0.7: infinitely many impacts up to t_Z = t_0 (1 + e)/(1 - e), after
 * which it rests.
 *
 * Bounces of a few picometres are followed until one is missed; from there the ball falls freely,
 * to -0.9555 m at t = 3. A solver may also stop at t_Z and report the reason.
 */
#include "audit/solver/traps.h"

#define T_Z 2.55863396558580845855459637125

static const ic_preset presets[] = {{"drop", "ball", "h=1, g=9.81, e=7/10", "3", "comes to rest"}};

IC_TRAP_BALL_SYSTEM("bounces-to-rest", "Infinitely many impacts in finite time",
                    "OpenModelica/OpenModelica#16009", ic_trap_ball_variants)

static const ic_trap_event events[] = {{IC_EVENT_ACCUMULATION, IC_TRAP_BALL_FLOOR, T_Z, 0}};

/*
 * A solver may extrapolate when the remaining time is a thousand event tolerances, with intervals
 * that are known to one part in five: dt.
 */
static const ic_trap_run runs[] = {{.preset = "drop",
                                    .exact_from = 2,
                                    IC_TRAP_EVENTS(events),
                                    .accumulations_only = true,
                                    .end = {0, 0},
                                    .or_status = IC_ZENO,
                                    .or_t = T_Z,
                                    .dt = 200}};

IC_TRAP_OF(bounces_to_rest, "one of infinitely many impacts is missed, and the ball falls through the floor",
           "OpenModelica/OpenModelica#16009, RobotLocomotion/drake#8443", .clauses = IC_CLAUSE(6),
           .floor = true);
