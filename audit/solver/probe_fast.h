/* SPDX-License-Identifier: MIT */
/**
 * Motions with a fast part, which show whether steps are controlled:
 *
 *     one of three   u_i = sin(w_i t), w = 30 rad/s for one of them and 0.3 rad/s for the others
 *     sudden         x = cos phi, y = sin phi, phi' = 0.1 + 1000 (1 + tanh((t - t_s)/0.001))
 */
#ifndef IC_AUDIT_PROBE_FAST_H
#define IC_AUDIT_PROBE_FAST_H

#include "impactcheck/impactcheck.h"

enum { IC_FAST_STATES = 3 };

/** Greatest error of the states with state `fast` the fast one; NAN: the run does not end well. */
double ic_probe_one_of_three(const ic_solver *solver, const ic_options *options, int fast);

/** A run of the sudden motion. NAN: it does not end well, or the flow is never called. */
typedef struct ic_sudden_run {
    /* at the end, 1 */
    double error;

    /* rad; the longest turn of the motion without a call of the flow: an accepted step is no shorter */
    double unseen;
} ic_sudden_run;

/**
 * A motion that becomes fast within milliseconds at 1 s, and lasts 0.1 s more, or that is fast for 0.1 s
 * from the start. It turns by 200 rad while it is fast.
 */
ic_sudden_run ic_probe_sudden(const ic_solver *solver, const ic_options *options, bool from_start);

#endif
