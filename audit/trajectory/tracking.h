/* SPDX-License-Identifier: MIT */
/**
 * A trajectory, interval by interval: from each row the case is followed to the next one, and the difference, the local defect, tells
 * which mode the rows are in and whether the guards ended it where they should. Errors do not add up, so that chaos does no harm.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACKING_H
#define IC_AUDIT_TRAJECTORY_TRACKING_H

#include "audit/trajectory/clock.h"
#include "audit/trajectory/predict.h"
#include "audit/trajectory/trajectory.h"

/** Rows of an interval's both ends, and what explains the second from the first. */
typedef enum ic_explanation {
    IC_BY_GUARDS,      /* the case with its guards, from the mode that was tracked */
    IC_ANOTHER_MODE,   /* the same from another mode */
    IC_WITHOUT_EVENTS, /* the flow of one mode, as if there were no guards */
    IC_UNHELD, /* the flow of one mode whose invariant does not hold, or which ought to be over where the rows begin */
    IC_IN_DOUBT,    /* nothing, but noise of its first row may */
    IC_UNEXPLAINED, /* nothing */
} ic_explanation;

typedef struct ic_interval {
    size_t from, to; /* rows */
    size_t stride;   /* tracked rows from one to the other */
    int mode;        /* at its start, as explained */
    int tracked;     /* the mode in which the intervals before ended; -1: none before */
    int end_mode;
    ic_explanation explanation;
    double defect; /* greatest over the states, in tolerances */
    size_t worst;  /* the state of that */
    bool unknown;  /* no mode was known before it */
    size_t due;    /* events that the case has here, from the tracked mode */
    double t_due;  /* s; of the first */
    bool
        gave_up; /* nothing explains it, but to follow some mode would take too many steps: it decides nothing */
    bool jumps;  /* what explains it has an event */
    bool doubtful;  /* it is explained within the noise of its first row, and not from it */
    double *memory; /* states at its start, of which those are known that follow from the others; NULL: none */
    double energy_gain;  /* J; energy at its end above that of the case */
    double energy_taken; /* J; by the case's jumps in it */
} ic_interval;

/** What rows are held to where nothing else is asked for: a local defect of this part of a state's range is what a step of a fair
 * integrator leaves. */
#define IC_ACCEPT 1e-4
/** With more, sums over a hundred rows (audit/trajectory/check_state_error.c) are as large as the range: nothing would be judged. */
#define IC_ACCEPT_MOST 1e-2

/** How a trajectory is to be audited; NULL, or zeros: the defaults. */
typedef struct ic_trajectory_options {
    double accept;     /* of a state's range: the accuracy that rows are held to, noise apart; 0: IC_ACCEPT */
    double time_scale; /* s; typical time; 0: that of the case's motion */
} ic_trajectory_options;

/** What they say, or the default. */
double ic_accept(const ic_trajectory_options *options);

typedef struct ic_tracking {
    const ic_trajectory *trajectory;
    const ic_problem *problem;
    ic_predictor predictor;
    double accept;                   /* of a state's range: what rows are held to, noise apart */
    double range[IC_MAX_STATES];     /* greatest less least value */
    double noise[IC_MAX_STATES];     /* standard deviation of a row, estimated */
    double rounding[IC_MAX_STATES];  /* at most, by the digits of the file */
    double tolerance[IC_MAX_STATES]; /* of a local defect */
    double deviation[IC_MAX_STATES]; /* of a local defect, by noise */
    double sampling[IC_MAX_STATES];  /* error of a velocity that is had by differences; else 0 */
    double time_scale;               /* s; of the case's motion */
    double spacing;                  /* s; from row to row, as tracked: the median */
    ic_clock clock;                  /* how well the times are known */
    double slack; /* what that makes of an interval: of the ranges the greatest part, the median */
    bool reached[IC_PREDICT_MODES]; /* modes that the start or a jump leads to */
    size_t *rows, n_rows;           /* those that are tracked: thinned, without the rows at events */
    ic_interval *intervals;
    size_t n_intervals;
    double *memory; /* of the intervals */
    bool no_memory;
} ic_tracking;

/** Track a trajectory. `noise`: known deviations, or NULL. false: no memory, or too many modes. */
bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options);
void ic_tracking_close(ic_tracking *k);

size_t ic_tracking_count(const ic_tracking *k, ic_explanation explanation);

/** Whether noise of any state shows: more than 1e-6 of its range. */
bool ic_noise_shows(const ic_tracking *k);

/** Whether a state is not in the rows, but what the contact remembers, followed along them. */
bool ic_remembers_contact(const ic_tracking *k);

/** Fewer intervals decide nothing. */
enum { IC_LEAST_INTERVALS = 8 };

/** Of a range: rows whose noise makes more of it, five deviations, agree with much that the case is not. */
#define IC_NOISE_HIDES 0.05

/** Whether noise of a state makes so much of its range within an interval that rows which agree with the case say nothing. */
bool ic_noise_hides(const ic_tracking *k);

/** Whether rounded times do. */
bool ic_times_hide(const ic_tracking *k);

/** Whether the times of some rows are rounded. */
bool ic_times_are_rounded(const ic_tracking *k);

/** Of more states each prediction costs much: noise is followed in all of them at once, in a few directions. */
enum { IC_MANY_STATES = 8 };
bool ic_has_many_states(const ic_tracking *k);

/** Whether noise in so many states is so large that nobody knows what it makes of events. */
bool ic_noise_is_rough(const ic_tracking *k);

/** Whether the case has any event from its own start to its end, but for one that ends it; true also where it does not get there. */
bool ic_case_has_events(const ic_tracking *k);

/** Tolerance of a guard's value at a row: what the noise of the states makes of it, and the least accuracy that is asked for. */
double ic_guard_tolerance(const ic_tracking *k, const ic_guard *guard, double t, const double *x);

/** Value of an invariant that does not hold, or of a guard that was passed, and its tolerance. */
typedef struct ic_breach {
    const char *name, *unit; /* NULL: there is none */
    double value, tolerance;
} ic_breach;

/** The invariant of a mode that is broken worst at a state, in tolerances like those of guards. */
ic_breach ic_mode_breach(const ic_tracking *k, int mode, double t, const double *x);

/** The same with the guards of the mode in which an interval starts, where nothing is known of the rows before. */
ic_breach ic_interval_breach(const ic_tracking *k, const ic_interval *interval);

/** Whether the case has an event in an interval, or what explains it has. */
bool ic_interval_has_event(const ic_interval *interval);

/** The state at the start of an interval, memory included. */
void ic_interval_state(double *x, const ic_tracking *k, const ic_interval *interval);

/** What rounded times make of each state, from a row's in a mode to where the case leads by another row. Zeros where both times are exact. */
void ic_time_slack(double *slack, const ic_tracking *k, size_t from, const double *x, int mode, size_t to,
                   const ic_prediction *end);

/** How far a prediction of an interval's end is from its row: the greatest over the states, in tolerances, and which state that is. */
double ic_interval_defect(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end,
                          size_t *worst);

#endif
