/* SPDX-License-Identifier: MIT */
/** Events within one step of a stepping method: every crossing that its interpolant shows. */
#pragma once

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

    /* Whether the interpolant is a polynomial of a degree below `nodes`. */
    bool is_polynomial;
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
 * Weights at s of a cubic's value and slope (per step) at 0, and of those at 1: their sum is its value at s.
 */
#define IC_CUBIC_WEIGHTS(s)                                                                                    \
    {                                                                                                          \
        (1 - (s)) * (1 - (s)) * (1 + 2 * (s)), (1 - (s)) * (1 - (s)) * (s), (s) * (s) * (3 - 2 * (s)),         \
            (s) * (s) * ((s)-1)                                                                                \
    }

/**
 * How far a guard may be from the cubic through its values and rates at both ends of a step. The difference
 * is s^2 (1-s)^2 c(s) at the fraction s of the step. Probes, where the state is known too, measure c.
 */
typedef struct ic_clearance {
    /*
     * Number of probes. The first n_affine of them suffice for a guard that is affine in the state, and the
     * first n_far for one that is far larger than it varies.
     */
    int n_probes, n_affine, n_far;

    /* s of each probe, and IC_CUBIC_WEIGHTS there. */
    const double *at;
    const double (*weight)[4];

    /*
     * Upper limits of s^2 (1-s)^2 |c|, of s (1-s)^2 |c| and of the slope of the former in the step, in units of
     * the greatest difference.
     */
    double within, departing, sloping;

    /* The state at probe k begins at x + k stride. */
    const double *x;
    size_t stride;

    /*
     * Called with the step's `self` for each probe in turn when a guard needs its state. NULL: all states are
     * there.
     */
    void (*place)(void *self, int k);
} ic_clearance;

/**
 * Two probes, at the thirds of the step, without their states. c is taken as a line: s^2 (1-s)^2 |c| is at
 * most 1.27 times, s (1-s)^2 |c| 4.71 times, and the slope of the former 7.6 times the greatest difference at
 * the probes. The limits double this. A guard that is affine in the state is taken as its cubic (n_affine = 0).
 */
extern const ic_clearance ic_clearance_by_thirds;

/**
 * Time at which the next event is expected after t0, by the cubics of guards through the last step, with a
 * margin: a step that ends there has its event near its end. INFINITY: none is expected in a time `most`.
 */
double ic_step_expected_event(const ic_phase *phase, double t0, double most);

/**
 * Find the first enabled crossing of any guard of the phase within a step, located to event_tol on
 * the interpolant. Sets *t, phase->fired and phase->due. If there is none, phase->fired is -1, and
 * the arming is updated for the end of the step.
 */
ic_status ic_step_first_event(ic_phase *phase, const ic_step *step, double *t);

/**
 * The same, but the interpolant is not searched if the cubics through values and rates of the guards at both ends
 * suffice. By the probes, each guard is within some distance of its cubic:
 *
 *   - if all Bernstein coefficients of the cubic are further from zero, the guard stays clear;
 *   - if they change sign once, the cubic is steeper there than its distance can be, and the guard's rate is about its
 *     slope, the guard crosses once: it is located along the interpolant, to less than the error of a step.
 *
 * If a guard departs from zero with its rate, its cubic is first divided by s. If neither holds for a guard, or if
 * two crossings are too close to each other, all guards are searched that may cross. The values and rates at the
 * end are kept for the next step.
 */
ic_status ic_step_find_event(ic_phase *phase, const ic_step *step, const ic_clearance *clearance, double *t);

/** Repeats the step with length h, and returns the state at its end. */
typedef const double *ic_retake(void *self, double h);

/**
 * Moves the end of the repeated step by a time d with the slope there, and returns the state. NULL: the
 * curvature matters over that time.
 */
typedef const double *ic_slide(void *self, double d);

/**
 * Land on the crossing of guard phase->fired by repeating the step. *t starts from the location on the
 * interpolant and is corrected by Newton's method with the guard's rate, until it changes by less than
 * event_tol. For a small correction `slide`, unless it is NULL, moves the end of the step in place of a
 * repetition. If the rate is too small for that (a near-touch), the location on the interpolant is used, and
 * a note is logged. The last step repeated ends at *t.
 */
ic_status ic_land_by_steps(ic_phase *phase, double t0, double longest, double *t, ic_retake *retake,
                           ic_slide *slide, void *self);

/**
 * Moves the state x by a time d along its slope. The slope `before`, at a time `since` before, tells the
 * curvature; false: it matters, and x is as before.
 */
bool ic_slide_state(const ic_phase *phase, double d, const double *before, const double *slope, double since,
                    double *x);

/**
 * Land on the crossing of guard phase->fired without a repeated step, by slopes from the nearer end of the step.
 * From the end (t1, x1), with d = t - t1,
 *
 *     x(t) = x1 + d sum_k w_k f(t1 + s_k d)
 *
 * by a rule of Lobatto, with slopes at states of the interpolant: of three points near the end of the step, else of
 * five, if `inside`. Its error has then the small factor d times the slope's sensitivity. Writes the state at *t to
 * x. false: the event is not near the end, the interpolant is not close to that state, or the guard's rate is too
 * small.
 */
bool ic_land_by_slopes(ic_phase *phase, const ic_step *step, const double *start_slope, const double *end_slope,
                       bool inside, double *t, double *x);
