/* SPDX-License-Identifier: MIT */
/**
 * The event loop that solvers share: it keeps the event contract of the public header, so that a solver only
 * has to follow one smooth field to its first event.
 */
#ifndef IC_CORE_EVENT_LOOP_H
#define IC_CORE_EVENT_LOOP_H

#include "core/event_set.h"
#include "impactcheck/impactcheck.h"

/** What is watched: a guard of the mode, or an observer. One of the two is NULL. */
typedef struct ic_watch {
    const ic_guard *guard;
    ic_entry *observer;
} ic_watch;

/** What is known of a guard at the start of a step. */
typedef struct ic_arming {
    int side; /* the side of zero that the guard is on or departs to: -1, +1; 0: not known yet */
    /* > 0: the phase starts at a zero of this order, which is not to be found again, whichever side the guard leaves
     * to; with side = 0 it fires at the start if it leaves to its firing side */
    int order;
} ic_arming;

/** The stretch between two events, and how far a method has got in it. */
typedef struct ic_phase {
    const ic_problem *problem;
    const ic_options *options; /* every default filled in */
    ic_log *log;
    ic_work *work; /* of the log */
    size_t n;      /* number of states */
    const ic_mode *mode;
    int mode_index;
    double t;      /* now; moved by the method */
    double *x;     /* now; moved by the method */
    double t_stop; /* end of the run or time of the next time event: to be reached exactly */
    /* what is watched: the guards of the mode, then the observers. "Guard i" below is row i of this */
    size_t n_watched;
    ic_entry *const *observers;
    ic_arming *arming;   /* one for each guard, kept up to date by the method */
    int fired;           /* set by the method: guard that crosses at (t, x), or -1 at t_stop */
    bool *due;           /* set by the method: other guards that cross at the same instant, to its knowledge */
    const double *scale; /* typical magnitude of each state */
    double *located;     /* scratch of ic_step_first_event, one for each guard */
    int *arrival;        /* likewise */
    double time_scale;   /* s; typical time */
    double *rates;       /* scratch of observers: 2 n numbers */
} ic_phase;

/** What a solver brings. `self` is its own workspace. */
typedef struct ic_method {
    /* A new phase: (t, x), the mode and the arming have changed. */
    ic_status (*begin)(void *self, ic_phase *phase);
    /* Move phase->t and phase->x to the first enabled crossing of an armed guard in its direction, or to t_stop. */
    ic_status (*advance)(void *self, ic_phase *phase);
    bool
        observes; /* all that it knows of a guard comes from the functions below, so that observers are as good */
} ic_method;

/** Run a method from start to end under the event contract, writing the log. */
ic_status ic_event_loop(ic_log *log, const ic_problem *problem, const ic_options *options,
                        const ic_method *method, void *self);

/** State at a time within the step just taken. */
typedef void ic_interpolant(void *self, double t, double *x);

/**
 * Show a stretch [t0, t1] of the phase to the log: samples that fall into (t0, t1], and candidates for the
 * extremes of the outputs, refined between `nodes` equal parts. Does nothing where neither is asked for.
 */
ic_status ic_phase_observe(const ic_phase *phase, double t0, double t1, int nodes, ic_interpolant *interpolate,
                           void *self);

/** Guard i. */
ic_watch ic_phase_watch(const ic_phase *phase, size_t i);
const char *ic_phase_guard_name(const ic_phase *phase, size_t i);
int ic_phase_direction(const ic_phase *phase, size_t i);

/** Value of guard i; counted. */
double ic_phase_guard(const ic_phase *phase, size_t i, double t, const double *x);

/** Rate of guard i; counted. */
double ic_phase_guard_rate(const ic_phase *phase, size_t i, double t, const double *x);

/** Whether guard i, crossing at (t, x), is enabled. */
bool ic_phase_enabled(const ic_phase *phase, size_t i, double t, const double *x);

/**
 * Rounding error of guard i at (t, x): a few units in the last place of each of its terms, for states of the size of their
 * scales. scratch: n_states.
 */
double ic_phase_guard_rounding(const ic_phase *phase, size_t i, double t, const double *x, double *scratch);

/** Field of the mode; counted. */
void ic_phase_flow(const ic_phase *phase, double *dxdt, double t, const double *x);

/** Of what is watched, whatever the mode; not counted. */
double ic_watch_value(const ic_phase *phase, ic_watch watch, double t, const double *x);
double ic_watch_rate(const ic_phase *phase, ic_watch watch, double t, const double *x);
bool ic_watch_enabled(const ic_phase *phase, ic_watch watch, double t, const double *x);
double ic_watch_rounding(const ic_phase *phase, ic_watch watch, double t, const double *x, double *scratch);
const char *ic_watch_name(ic_watch watch);
int ic_watch_direction(ic_watch watch);

/** Whether two guards are one: modes may share a table of guards, or have a guard each of one name and value. */
bool ic_same_guard(const ic_guard *a, const ic_guard *b);
bool ic_same_watch(ic_watch a, ic_watch b);

/** Whether two watch the same function, so that they are zero together. */
bool ic_same_function(ic_watch a, ic_watch b);

/** Whether a guard of this direction fires when it passes to side `to` (-1 or +1). */
bool ic_fires(int direction, int to);

/** Two crossings closer than this are one instant to a solver that locates events to event_tol, s. */
double ic_phase_tie(const ic_phase *phase);

#endif
