/* SPDX-License-Identifier: MIT */
/**
 * A fall that takes 1e-12 s: g = 2e24 m/s^2 from 1 m, e = 1/2; impacts at 1 and 2 ps, the end at
 * the apex of the second flight, x = 1/16.
 *
 * A tolerance on event times that is designed for seconds, 4 eps = 8.9e-16 s, is a thousandth
 * of all times in this problem.
 */
#include "audit/solver/traps.h"

static const ic_preset presets[] = {{"drop", "ball", "g=2e24", "2.25e-12", "two impacts"}};

IC_TRAP_BALL_SYSTEM("picosecond-fall", "A motion in picoseconds", "scipy/scipy#15262", ic_trap_ball_variants)

static const ic_trap_event events[] = {{IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 1e-12, 0},
                                       {IC_EVENT_GUARD, IC_TRAP_BALL_FLOOR, 2e-12, 0}};

static const ic_trap_run runs[] = {
    {.preset = "drop", .exact_from = 2, IC_TRAP_EVENTS(events), .end = {0.0625, 0}, .dt = 4e-12, .dx = 4}};

IC_TRAP_OF(picosecond_fall, "an absolute tolerance in time is coarse where motions are fast",
           "scipy/scipy#15262, scipy/scipy#19418, scipy/scipy#17066", .floor = true,
           .mistakes = {
               [IC_SYMPTOM_TIME] = IC_MISTAKE_ABSOLUTE_TIME, [IC_SYMPTOM_STATUS] = IC_MISTAKE_ABSOLUTE_TIME});
