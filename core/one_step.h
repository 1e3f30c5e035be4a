/* SPDX-License-Identifier: MIT */
/**
 * The run of a one-step method with an interpolant: steps, the search of each for its first event,
 * and the landing on it.
 */
#ifndef IC_CORE_ONE_STEP_H
#define IC_CORE_ONE_STEP_H

#include "core/step_events.h"

/**
 * Workspace of a one-step method, and the first member of its own workspace, which is the `self` of
 * the functions below.
 */
typedef struct ic_one_step {
    const struct ic_one_step_method *method;
    const ic_phase *phase;
    size_t n;

    /* the step from (t0, x0), where the flow is f0, to (t1, x1), where it is f1 */
    double t0, t1;
    double *x0, *x1, *f0, *f1;

    /* workspace: n numbers each */
    double *stage, *scratch;

    /* all vectors; owned */
    double *memory;
} ic_one_step;

typedef struct ic_one_step_method {
    /* Begins a phase at (t0, x0), f0. NULL: there is nothing to prepare. */
    void (*begin)(void *self, const ic_phase *phase);

    /* Takes an accepted step from (t0, x0), f0, and sets t1 and x1. */
    ic_status (*take)(void *self, const ic_phase *phase);

    /*
     * Finds the first event in the step: sets phase->fired (-1: none), and the time at which the
     * step must end.
     */
    ic_status (*find_event)(void *self, ic_phase *phase, double *t);

    /*
     * Ends the step on guard phase->fired, located at t: sets t1 and x1. NULL: events happen at the
     * ends of steps.
     */
    ic_status (*land)(void *self, ic_phase *phase, double t);

    ic_interpolant *interpolate;

    /* parts of a step in which extremes are looked for */
    int parts;

    /* number of values of a guard, and its root finder, for ic_one_step_first_event */
    int nodes;
    ic_narrow *narrow;

    /* repeats the step with another length, for ic_one_step_land */
    ic_retake *retake;

    /* see ic_method */
    bool observes;
} ic_one_step_method;

/**
 * Allocates the workspace for n states with `more` vectors of the method's own, and returns the
 * first of these, n numbers each, zeroed; NULL: no memory.
 */
double *ic_one_step_open(ic_one_step *s, const ic_one_step_method *method, size_t n, size_t more);

/** Runs the method from start to end, and frees the workspace. */
ic_status ic_one_step_run(ic_one_step *s, ic_log *log, const ic_problem *problem, const ic_options *options);

/** find_event: every crossing that the interpolant shows. */
ic_status ic_one_step_first_event(void *self, ic_phase *phase, double *t);

/** land: by repeated steps. */
ic_status ic_one_step_land(void *self, ic_phase *phase, double t);

/**
 * The classical Runge-Kutta step of order 4 and length h: sets t1 and x1. k: f0 and three vectors
 * for slopes.
 */
void ic_one_step_classical(ic_one_step *s, double *const k[4], double h);

/** take, with steps of given length: a classical step that ends at t1, with the flow f1 there. */
ic_status ic_one_step_fixed(ic_one_step *s, double *const k[4], double t1);

/** interpolate: the cubic through both ends of the step. */
void ic_one_step_cubic(void *self, double t, double *x);

#endif
