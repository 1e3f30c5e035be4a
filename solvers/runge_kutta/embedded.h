/* SPDX-License-Identifier: MIT */
/**
 * Embedded Runge-Kutta methods with dense output share the workspace, the search for events along a step,
 * landing on an event, and phases of steps under PI control (core/step_control.h).
 *
 * The cubics of guards through the last step predict an event, so that a step ends close behind it. The state
 * at the event follows from the nearer end of the step and some slopes, if the interpolant is accurate enough
 * for these. Otherwise the step is repeated from its start with that length. In both cases the state has the
 * accuracy of a step and not of the interpolant, and the rate of the guard corrects the time until it changes
 * by less than event_tol.
 */
#pragma once

#include "core/event_loop.h"
#include "core/step_control.h"
#include "core/step_events.h"
#include "impactcheck/impactcheck.h"
#include "solvers/runge_kutta/slope_sum.h"

typedef struct ic_embedded ic_embedded;

/** A method: its constants and functions. */
typedef struct ic_embedded_method {
    /* Its error is of order h^order. */
    int order;

    /* Limits of the change of a step. */
    double least_factor, most_factor;

    /* number of slopes */
    int slopes;

    /* index of that at the end of the step */
    int end;

    /* index of the last one before it */
    int before_end;

    /* Place of each slope, as a fraction of the step. */
    const double *node;

    /* Degree of the interpolant, and the method that locates a root of a guard on it. */
    int degree;
    ic_narrow *narrow;

    /* Whether a step has far more slopes than the four that give the state at an event inside it. */
    bool has_many_slopes;

    /* Probes without their states. */
    ic_clearance clearance;

    /* Computes slopes and x1 of a step of length h from (t0, x0), where slope 0 is known. */
    void (*take_stages)(ic_embedded *s);

    /* Takes a step, and returns its error (ic_embedded_step, estimate_error). */
    ic_try_step *try_step;

    /* Error of the last step in units of the tolerance. */
    double (*estimate_error)(const ic_embedded *s);

    ic_interpolant *interpolate;
} ic_embedded_method;

struct ic_embedded {
    const ic_embedded_method *method;
    const ic_phase *phase;
    size_t n, stride;
    ic_step_control control;

    /* the step of length h from (t0, x0) to (t1, x1) */
    double h;

    double t0, t1;
    double *x0, *x1;

    /* the flow of the mode, and its parameters */
    void (*flow)(double *dxdt, double t, const double *x, const double *par);
    const double *par;

    /* slope i begins at k + i stride */
    double *k;

    /* coefficient m of the interpolant at d + m stride */
    double *d;

    /* the slope at the end and d are valid */
    bool has_end_slope, has_interpolant;

    /* of each state */
    double *scale;

    /* states */
    double *stage, *scratch;

    /* states at the probes */
    double *at_probe;
    ic_clearance clearance;
};

/** Run the method from start to end. */
ic_status ic_embedded_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                            const ic_embedded_method *method);

/** Take a step of length h from (t0, x0) to (t1, x1), with slope 0 known. */
void ic_embedded_step(ic_embedded *s, double h);

static inline double *ic_embedded_end_slope(const ic_embedded *s)
{
    return s->k + (size_t)s->method->end * s->stride;
}

/** Compute the slope at the end of the step unless it is known. */
void ic_embedded_need_end_slope(ic_embedded *s);

/* ---- pieces of the functions of a method, inlined where its constants are known */

/**
 * The first three coefficients of the interpolant: D = x1 - x0, h f(t0) - D and D - h f(t1) - (h f(t0) - D).
 */
IC_INLINED void ic_embedded_cubic(ic_embedded *s, const double *end_slope, size_t stride)
{
    for (size_t j = 0; j < s->n; j += 2) {
        const ic_two_states difference = ic_two_at(s->x1 + j) - ic_two_at(s->x0 + j);
        const ic_two_states bulge = s->h * ic_two_at(s->k + j) - difference;
        ic_put_two(s->d + j, difference);
        ic_put_two(s->d + stride + j, bulge);
        ic_put_two(s->d + 2 * stride + j, difference - s->h * ic_two_at(end_slope + j) - bulge);
    }
}

/** The interpolant of a degree at the time t, whose coefficients are known. */
IC_INLINED void ic_embedded_interpolate(const ic_embedded *s, int degree, double t, double *x)
{
    const double length = s->t1 - s->t0, p = length > 0 ? (t - s->t0) / length : 0;
    if (s->stride == IC_SMALL_STRIDE) ic_interpolate(degree, s->d, IC_SMALL_STRIDE, s->n, s->x0, p, x);
    else ic_interpolate(degree, s->d, s->stride, s->n, s->x0, p, x);
}
