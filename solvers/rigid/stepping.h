/* SPDX-License-Identifier: MIT */
/**
 * Time stepping with impulses, on a variant's view as stops and friction (ic_stops_view). A method
 * says how a step ends if the impulses are known, and which velocities they have to change; what
 * they are, the log, and the names of modes are the same for all methods.
 *
 * The impulses P of a step solve, with D = (dw/dx).push, Delassus's matrix,
 *
 *     stop:      0 <= r + D P _|_ P >= 0,
 *     friction:  |P| <= h L,   r + D P > 0 only if P = -h L,   r + D P < 0 only if P = h L.
 *
 * L is the greatest kinetic force. Where bodies stuck before the step it is that of sticking,
 * unless that is exceeded.
 */
#pragma once

#include "impactcheck/impactcheck.h"

/** Greatest number of stops and frictions. */
enum { IC_MOST_STEPPED = 64 };

/** A step. Stops come first, then frictions: `n_contacts` of both. Arrays of vectors have n numbers each. */
typedef struct ic_stepping {
    const ic_problem *problem;
    const ic_stops_view *view;
    ic_work *work;
    size_t n, n_contacts;

    /* the step, from t0 to t1 = t0 + h */
    double t0, t1, h;
    double *x0, *x1;

    /* the state at t1 without impulses, the flow, and a vector for any use */
    double *free, *f, *spare;

    /* typical magnitude of each state */
    double *scale;

    /* by contact: dw/dx, a row of zeros for each that is not active */
    double *gradient;

    /* by contact, with the same rows */
    double *push;

    /* by contact: the D that follows from both */
    double *D;

    /* by contact: whether it may push */
    bool active[IC_MOST_STEPPED];

    /* by contact: impulses of this step and of the one before */
    double P[IC_MOST_STEPPED], P_before[IC_MOST_STEPPED];

    /* by contact: velocities w at t0 */
    double w0[IC_MOST_STEPPED];

    /* by contact: h L */
    double bound[IC_MOST_STEPPED];

    /* by contact: stop: 1 pressed, 0 free; friction: sign of the slip, 0 sticks */
    int state[IC_MOST_STEPPED];
} ic_stepping;

/** Value of contact i: the velocity of a stop, or the slip of friction. */
double ic_stepping_velocity(const ic_stepping *s, size_t i, double t, const double *x);

/** Evaluate the flow without contacts. */
void ic_stepping_flow(const ic_stepping *s, double *f, double t, const double *x);

/** Set gradient, push and D of the active contacts at (t, x), and the bounds of friction. */
void ic_stepping_linearize(ic_stepping *s, double t, const double *x);

/** Set P from r, a number for each contact. IC_TOO_MUCH_WORK: the impulses could not be found. */
ic_status ic_stepping_impulses(ic_stepping *s, const double *r);

/** Write x + sum P push to `to`, which may be x. */
void ic_stepping_push(const ic_stepping *s, double *to, const double *x);

/** Sets x1, free and P from x0, w0 and the active contacts, which are all that w0 has. */
typedef ic_status ic_stepping_method(ic_stepping *s);

/**
 * Solve a problem by steps of equal length, and log it: an event for each stop that is hit, at the
 * end of its step. IC_UNSUPPORTED: the variant has no such view, or more contacts than
 * IC_MOST_STEPPED, or the options have events.
 */
ic_status ic_stepping_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                            ic_stepping_method *method);

/** A solver by steps: what both methods need and promise. */
#define IC_STEPPING_SOLVER(name_, title_, source_, step_)                                                      \
    static ic_status solve_##name_(ic_log *log, const ic_problem *problem, const ic_options *options)          \
    {                                                                                                          \
        return ic_stepping_solve(log, problem, options, step_);                                                \
    }                                                                                                          \
    const ic_solver ic_solver_##name_ = {                                                                      \
        IC_ABI(ic_solver),                                                                                     \
        .name = #name_,                                                                                        \
        .title = (title_),                                                                                     \
        .source = (source_),                                                                                   \
        .needs = IC_NEEDS_STOPS_VIEW,                                                                          \
        .order = 1,                                                                                            \
        .control = IC_CONTROL_STEP,                                                                            \
        .steps_over_events = true,                                                                             \
        .clauses_not_kept = IC_CLAUSE(1) | IC_CLAUSE(2) | IC_CLAUSE(3) | IC_CLAUSE(4) | IC_CLAUSE(5) |         \
                            IC_CLAUSE(6) | IC_CLAUSE(7) | IC_CLAUSE(8) | IC_CLAUSE(9) | IC_CLAUSE(11),         \
        .solve = solve_##name_};
