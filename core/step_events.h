/* SPDX-License-Identifier: MIT */
/** Events within one step of a method that steps: every crossing that its interpolant shows. */
#ifndef IC_CORE_STEP_EVENTS_H
#define IC_CORE_STEP_EVENTS_H

#include "core/bracket.h"
#include "core/event_loop.h"

/** Most values of a guard along a step, at equal parts of it: they fix the polynomial whose roots are isolated. */
#define IC_STEP_MOST_NODES 8

/** A step taken from (t0, x0) to (t1, x1), with an interpolant of the state between. */
typedef struct ic_step {
    double t0, t1;
    const double *x0, *x1;
    ic_interpolant *interpolate;
    void *self;
    double *scratch; /* n_states */
    int nodes;       /* values of each guard, 3 to IC_STEP_MOST_NODES; degree of the interpolant + 1 or more */
    ic_narrow *narrow; /* how a crossing is located */
} ic_step;

/** A sign change of a guard along a step, as parts of the step. */
typedef struct ic_sign_change {
    double low, high; /* it lies in [low, high] */
    int to;           /* side that the guard passes to */
} ic_sign_change;

/**
 * Every sign change in (0, 1], in order, of the polynomial through `values`, which stand at `nodes` equally spaced points
 * of [0, 1], beginning on arming.side; with arming.order > 0 the zero of that order at the start is divided out first, with
 * arming.side = 0 the start counts as a sign change to the side that the guard departs to. Isolation by the sign rule on
 * Bernstein coefficients with bisection: exact for the polynomial, down to pairs closer than 2^-40 of a step.
 * Returns their number, less than `nodes`. *last is the side at the end, *grazes whether a pair was too close to tell.
 */
int ic_sign_changes(ic_sign_change *changes, const double *values, int nodes, ic_arming arming, int *last,
                    bool *grazes);

/**
 * The first enabled crossing of any guard of the phase within a step; located to event_tol on the interpolant.
 * Sets *t, phase->fired and phase->due. Without one, phase->fired is -1 and the arming is moved to the end of
 * the step.
 */
ic_status ic_step_first_event(ic_phase *phase, const ic_step *step, double *t);

/** Take one step of length h from the start of the step and return the state at its end. */
typedef const double *ic_retake(void *self, double h);

/**
 * Land on the crossing of guard phase->fired by retaken steps: *t starts from its location on the interpolant and is
 * corrected by the guard's rate until it changes by less than event_tol. Where the rate is too small for that (a
 * near-touch) the location on the interpolant stands, and a note says so. The last step retaken ends at *t.
 */
ic_status ic_land_by_steps(ic_phase *phase, double t0, double longest, double *t, ic_retake *retake,
                           void *self);

#endif
