/* SPDX-License-Identifier: MIT */
/** Events within one step of a stepping method: every crossing that its interpolant shows. */
#ifndef IC_CORE_STEP_EVENTS_H
#define IC_CORE_STEP_EVENTS_H

#include "core/bracket.h"
#include "core/event_loop.h"

/**
 * Largest number of equidistant values of a guard along a step. They determine the polynomial whose
 * roots are isolated.
 */
#define IC_STEP_MOST_NODES 8

/** A step from (t0, x0) to (t1, x1), with an interpolant of the state in between. */
typedef struct ic_step {
    double t0, t1;
    const double *x0, *x1;
    ic_interpolant *interpolate;
    void *self;

    /* Workspace: n_states numbers. */
    double *scratch;

    /*
     * Number of values of each guard, from 3 to IC_STEP_MOST_NODES and at least the degree of the
     * interpolant + 1.
     */
    int nodes;

    /* Method that locates a crossing. */
    ic_narrow *narrow;
} ic_step;

/** A sign change of a guard, in fractions of the step. */
typedef struct ic_sign_change {
    /* The change lies in [low, high]. */
    double low, high;

    /* Side to which the guard passes. */
    int to;
} ic_sign_change;

/**
 * Find, in order, every sign change in (0, 1] of the polynomial through `values` at `nodes`
 * equidistant points of [0, 1]. It begins on arming.side. With arming.order > 0, the zero of that
 * order at the start is divided out first; with arming.side = 0, the start counts as a sign change
 * to the side that the guard departs to.
 *
 * Roots are isolated by bisection, with Descartes' rule of signs on Bernstein coefficients. This is
 * exact for the polynomial, except for pairs closer than 2^-40 of the step. Returns the number of
 * sign changes, less than `nodes`. *last is the side at the end; *grazes is whether a pair was too
 * close to be resolved.
 */
int ic_sign_changes(ic_sign_change *changes, const double *values, int nodes, ic_arming arming, int *last,
                    bool *grazes);

/**
 * Find the first enabled crossing of any guard of the phase within a step, located to event_tol on
 * the interpolant. Sets *t, phase->fired and phase->due. If there is none, phase->fired is -1, and
 * the arming is updated for the end of the step.
 */
ic_status ic_step_first_event(ic_phase *phase, const ic_step *step, double *t);

/** Repeats the step with length h, and returns the state at its end. */
typedef const double *ic_retake(void *self, double h);

/**
 * Land on the crossing of guard phase->fired by repeating the step. *t starts from the location on
 * the interpolant and is corrected by Newton's method with the guard's rate, until it changes by
 * less than event_tol. If the rate is too small for that (a near-touch), the location on the
 * interpolant is used, and a note is logged. The last step repeated ends at *t.
 */
ic_status ic_land_by_steps(ic_phase *phase, double t0, double longest, double *t, ic_retake *retake,
                           void *self);

#endif
