/* SPDX-License-Identifier: MIT */
/**
 * The event loop that solvers share. It implements the event contract of the public header, so that
 * a solver only has to follow one smooth field up to the first event.
 */
#pragma once

#include "core/event_set.h"
#include "core/watch.h"
#include "impactcheck/impactcheck.h"

/** State of a guard at the start of a step. */
typedef struct ic_arming {
    /* Side of zero that the guard is on or departs to: -1 or +1; 0 while unknown. */
    int side;

    /*
     * If > 0, the phase starts at a zero of this order. That zero is not reported again, whichever
     * side the guard leaves to. With side = 0 the guard fires at the start if it leaves to its
     * firing side.
     */
    int order;
} ic_arming;

/** A guard at the end of a step, which is the start of the next one. */
typedef struct ic_guard_end {
    /* s; NAN: nothing is known */
    double t;

    double value, rate;

    /* length h of the step that ends here, s; NAN: no step has ended here */
    double h;

    /* value and rate at the start of the last step, with or without h */
    double value_before, rate_before;
} ic_guard_end;

/** The time between two events, and the method's progress in it. */
typedef struct ic_phase {
    const ic_problem *problem;

    /* Options in which all defaults are filled in. */
    const ic_options *options;

    ic_log *log;

    /* Counters of the log. */
    ic_work *work;

    /* Number of states. */
    size_t n;

    const ic_mode *mode;
    int mode_index;

    /* Current time; the method moves it. */
    double t;

    /* Current state; the method moves it. */
    double *x;

    /* Time of the end of the run, or of the next time event. The method must reach it exactly. */
    double t_stop;

    /*
     * The guards of the mode, followed by the armed observers. "Guard i" below means row i of this
     * list.
     */
    size_t n_watched;
    ic_entry *const *observers;

    /* Arming of each guard, which the method updates. */
    ic_arming *arming;

    /* Set by the method: index of the guard that crosses at (t, x), or -1 at t_stop. */
    int fired;

    /* Set by the method: the other guards that cross at the same instant. */
    bool *due;

    /*
     * For each guard: true if it may not be a polynomial along an interpolant. Guards that are
     * affine in the state are polynomials.
     */
    bool *curved;

    /* Typical magnitude of each state. */
    const double *scale;

    /*
     * Magnitude to which the rounding of each state is relative: its scale, or 0 if it is not
     * rounded.
     */
    const double *rounded;

    /* Workspace of ic_step_find_event and ic_step_first_event, one number for each guard. */
    double *located;

    /* Workspace of ic_step_first_event, one number for each guard. */
    int *arrival;

    /* Typical time, s. */
    double time_scale;

    /* Workspace of observers: 2 n numbers. */
    double *rates;

    /* workspace of ic_step_find_event, for each guard */
    ic_guard_end *ends;

    /* by guard: whether that has found that it stays clear */
    bool *clear;
} ic_phase;

/** The functions of a solver. `self` is its workspace. */
typedef struct ic_method {
    /* Starts a phase: (t, x), the mode and the arming have changed. */
    ic_status (*begin)(void *self, ic_phase *phase);
    /*
     * Moves phase->t and phase->x to the first enabled crossing of an armed guard in its direction,
     * or to t_stop.
     */
    ic_status (*advance)(void *self, ic_phase *phase);

    /*
     * The method learns about guards only through the functions below, and can therefore follow
     * observers too.
     */
    bool observes;
} ic_method;

/** Run a method from start to end under the event contract, and write the log. */
ic_status ic_event_loop(ic_log *log, const ic_problem *problem, const ic_options *options,
                        const ic_method *method, void *self);

/** A run whose phases the caller advances, so that many runs take turns. */
typedef struct ic_loop ic_loop;

/**
 * Begin a run. Returns its phase, which lasts as long as the run; the caller advances it as the functions of
 * a method would. NULL: there is nothing to advance, because the run is over (*status is IC_OK) or has
 * failed. ic_loop_close must be called in any case.
 */
ic_phase *ic_loop_open(ic_loop **run, ic_log *log, const ic_problem *problem, const ic_options *options,
                       ic_status *status);

/**
 * Fire the events at the end of a phase that has been advanced with *status, and begin the next one. false:
 * the run is over, or *status is not IC_OK.
 */
bool ic_loop_next(ic_loop *run, ic_status *status);

/** Write the end of the log, and release the run (NULL: nothing). Returns `status`. */
ic_status ic_loop_close(ic_loop *run, ic_status status);

/** Writes to x the state at a time within the last step. */
typedef void ic_interpolant(void *self, double t, double *x);

/**
 * Log the interval [t0, t1] of the phase: the samples in (t0, t1], and candidates for the extremes
 * of the outputs, refined within `nodes` equal parts. Does nothing if neither was requested.
 */
ic_status ic_phase_observe(const ic_phase *phase, double t0, double t1, int nodes, ic_interpolant *interpolate,
                           void *self);

/** The time up to which nothing has to be logged; -INFINITY: extremes are sought everywhere. */
double ic_phase_next_sample(const ic_phase *phase);

/** Guard i, its name and its direction. */
static inline ic_watch ic_phase_watch(const ic_phase *phase, size_t i)
{
    const size_t n_guards = phase->mode->n_guards;
    ic_watch watch = {NULL, NULL};
    if (i < n_guards) watch.guard = &phase->mode->guards[i];
    else watch.observer = phase->observers[i - n_guards];
    if (watch.guard == NULL && watch.observer == NULL) __builtin_unreachable(); /* for analyzers */
    return watch;
}

const char *ic_phase_guard_name(const ic_phase *phase, size_t i);
int ic_phase_direction(const ic_phase *phase, size_t i);

/** Value and rate of an observer. */
double ic_observer_value(const ic_phase *phase, const ic_entry *observer, double t, const double *x);
double ic_observer_rate(const ic_phase *phase, const ic_entry *observer, double t, const double *x);

/** Value and rate of a guard or observer that need not belong to the current mode. Not counted as work. */
static inline double ic_watch_value(const ic_phase *phase, ic_watch watch, double t, const double *x)
{
    return watch.guard != NULL ? watch.guard->value(t, x, phase->problem->par)
                               : ic_observer_value(phase, watch.observer, t, x);
}

static inline double ic_watch_rate(const ic_phase *phase, ic_watch watch, double t, const double *x)
{
    return watch.guard != NULL ? watch.guard->rate(t, x, phase->problem->par)
                               : ic_observer_rate(phase, watch.observer, t, x);
}

/** Value and rate of guard i. Counted as work. */
double ic_phase_guard(const ic_phase *phase, size_t i, double t, const double *x);
double ic_phase_guard_rate(const ic_phase *phase, size_t i, double t, const double *x);

/** Field of the mode. Counted as work. */
static inline void ic_phase_flow(const ic_phase *phase, double *dxdt, double t, const double *x)
{
    phase->work->flow_calls++;
    phase->mode->flow(dxdt, t, x, phase->problem->par);
}

/** Whether a guard or observer that need not belong to the current mode is enabled at its crossing (t, x). */
bool ic_watch_enabled(const ic_phase *phase, ic_watch watch, double t, const double *x);

/** The same for guard i. */
static inline bool ic_phase_enabled(const ic_phase *phase, size_t i, double t, const double *x)
{
    return ic_watch_enabled(phase, ic_phase_watch(phase, i), t, x);
}

/**
 * Rounding error of a guard or observer at (t, x): a few units in the last place of each term, for states of the size
 * of their scales. Counted as work. workspace: n numbers.
 */
double ic_watch_rounding(const ic_phase *phase, ic_watch watch, double t, const double *x, double *workspace);

/**
 * Rate of a watch's rate along the flow of the mode, by a difference over the time d, s: this part of the
 * typical time shows the curvature of a motion.
 */
#define IC_RATE_DIFFERENCE 1e-5
double ic_watch_second_rate(const ic_phase *phase, ic_watch watch, double t, const double *x, double d);

/** Whether the rate of a guard is below its rounding error. */
bool ic_watch_has_no_rate(const ic_phase *phase, ic_watch watch, double t, const double *x);

/** Whether the rate exceeds not only rounding but the errors of runs. */
bool ic_watch_has_clear_rate(const ic_phase *phase, ic_watch watch, double t, const double *x);

/** The sign of the rate of a rate that is rounding; 0: the rate is none, or the rate of the rate is not clear. */
int ic_watch_turn(const ic_phase *phase, ic_watch watch, double t, const double *x);

const char *ic_watch_name(ic_watch watch);
int ic_watch_direction(ic_watch watch);

/**
 * Two events belong to one instant if their times differ by less than this many units in the last
 * place.
 */
#define IC_INSTANT_ULPS 4.0

/** Whether a guard of this direction fires when it passes to side `to` (-1 or +1). */
static inline bool ic_fires(int direction, int to)
{
    return direction == 0 || direction == to;
}

/**
 * Crossings closer than this belong to one instant, for a solver that locates events to event_tol,
 * s.
 */
double ic_phase_instant_width(const ic_phase *phase);
