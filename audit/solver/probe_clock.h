/* SPDX-License-Identifier: MIT */
/**
 * A driven mass with its own clock, which shows the times at which a solver evaluates flow, guards
 * and jumps:
 *
 *     x'' = cos(7 t),   s' = 1,   s(0) = 0;    marks at t + s = 1 and 4, which change nothing
 *
 * At any point of any method, s is the time to which its state belongs.
 */
#ifndef IC_AUDIT_PROBE_CLOCK_H
#define IC_AUDIT_PROBE_CLOCK_H

#include "impactcheck/impactcheck.h"

typedef struct ic_clock_calls {
    /* True if the run ended well. */
    bool solved;

    /* stages beyond the start of a step, and those at another time than their state's */
    size_t stages, stale_stages;

    /*
     * calls of the guard and of the jump, and those with the time of another point at which the
     * motion was known; a clock that is wrong itself is no such time
     */
    size_t guards, stale_guards;
    size_t jumps, stale_jumps;

    /*
     * calls whose time is a number of single precision, and those whose time has drifted away from
     * the clock by rounding
     */
    size_t calls, single, drifted;

    /* error of (x, x') at the end, 1 */
    double error;
} ic_clock_calls;

/** A run with these options, with marks or without events. The motion lasts 3 s. */
ic_clock_calls ic_probe_clock_run(const ic_solver *solver, const ic_options *options, bool with_marks);

/**
 * Whether the solver evaluates the flow at other times than those of its states, at more than half
 * of all stages beyond the start of a step. Predictions of implicit methods, which are corrected,
 * are fewer.
 */
bool ic_probe_clock_is_stale(const ic_solver *solver);

#endif
