/* SPDX-License-Identifier: MIT */
/**
 * A swinging mass and an elastic wall, a probe for solvers that records the calls of its guard.
 *
 *     x'' = -x,  x(0) = 1,  x'(0) = 0;     x falls to c: x' = -x'
 *
 *     t_1 = arccos c,   t_(k+1) = t_k + 2 atan2(sin t_1, c),   and x^2 + x'^2 = 1 for ever.
 *
 * The guard is curved, steps are not trivial, answers are exact, and c places the first event
 * anywhere in a step.
 */
#ifndef IC_AUDIT_PROBE_OSCILLATOR_H
#define IC_AUDIT_PROBE_OSCILLATOR_H

#include "impactcheck/impactcheck.h"

/** The latest calls of the guard before the first impact. */
enum { IC_PROBE_CALLS = 256 };
typedef struct ic_probe_calls {
    /* s, m */
    double t[IC_PROBE_CALLS], g[IC_PROBE_CALLS];

    /* m, m/s */
    double x[IC_PROBE_CALLS], v[IC_PROBE_CALLS];

    /* number of all calls; the newest IC_PROBE_CALLS are kept */
    size_t count;

    /* the same of the flow, s, m and m/s: states at ends of steps that no guard was called at */
    double flow_t[IC_PROBE_CALLS], flow_x[IC_PROBE_CALLS], flow_v[IC_PROBE_CALLS];
    size_t flow_count;

    /* the greatest time of the guard, s */
    double latest;

    /* an impact has happened */
    bool over;
} ic_probe_calls;

size_t ic_probe_calls_kept(const ic_probe_calls *of);

/** Calls of the flow in the problem's present run. */
double ic_probe_oscillator_flows(void);

/**
 * Error of a run without a wall at the ends of its steps, which the solver's own calls show whatever it
 * reports: the least of the latest IC_PROBE_CALLS calls of the flow at `from` s and later, since stages
 * within a step are less accurate. INFINITY: there are none.
 */
double ic_probe_oscillator_own_error(double from);

/**
 * A problem without a wall, valid like that of ic_probe_oscillator: an event marks each passage of
 * c in this direction, downwards (-1) at arccos c or upwards (+1) at 2 pi - arccos c.
 */
const ic_problem *ic_probe_mark(double c, int direction, double t_end);

/** A problem with the wall at c, in (-1, 1), until t_end. It is valid until the next call. */
const ic_problem *ic_probe_oscillator(double c, double t_end);

/** The same with a guard that is `factor` times as great. */
const ic_problem *ic_probe_scaled_wall(double c, double factor, double t_end);

/** Calls of flow and guard in the present run, and those whose states are of single precision. */
typedef struct ic_probe_precision {
    size_t flows, single_flows, guards, single_guards;
} ic_probe_precision;

ic_probe_precision ic_probe_oscillator_precision(void);

/** Calls of the guard in the problem's present run. */
const ic_probe_calls *ic_probe_oscillator_calls(void);

/** The time of impact k = 0, 1, ..., s. */
double ic_probe_oscillator_impact(double c, size_t k);

#endif
