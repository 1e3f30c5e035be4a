/* SPDX-License-Identifier: MIT */
/**
 * A point that moves along p, jumps, and then moves along q, which shows what the steps after a
 * jump start from:
 *
 *     before:  p' = 4, q' = 0  until p = 4, or t = 1      then p = 0.3, q = 0.7
 *     after:   p' = q - 0.7,   q' = 2 - (p - 0.3)
 *
 * At the new state the new slope (0, 2) is perpendicular to the old one, (4, 0), so that explicit
 * stages of a method that starts anew leave the state along q alone.
 */
#ifndef IC_AUDIT_PROBE_RESTART_H
#define IC_AUDIT_PROBE_RESTART_H

#include "impactcheck/impactcheck.h"

/** What leads to the motion along q. */
typedef enum ic_restart {
    /* the start itself */
    IC_RESTART_START,

    IC_RESTART_GUARD,
    IC_RESTART_TIME_EVENT,
} ic_restart;

/** What a solver does after it. */
typedef struct ic_restart_calls {
    /* True if the run ended well, and the flow was called after the jump, away from the new state. */
    bool known;

    /* True if a call was made at the new state itself. */
    bool at_new_state;

    /* True if the same stage is evaluated again and again, as implicit methods do. */
    bool iterates;

    /* of the first call away from the new state: the part of its distance that is along p, at most 1 */
    double along_old;

    /* distance from the new state of the first call at the instant of the jump; 0: none is off */
    double off;
} ic_restart_calls;

ic_restart_calls ic_probe_restart(const ic_solver *solver, ic_restart how);

#endif
