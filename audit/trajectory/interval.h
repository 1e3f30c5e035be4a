/* SPDX-License-Identifier: MIT */
/** An interval between two tracked rows, and how far a prediction of its end is from the row. */
#ifndef IC_AUDIT_TRAJECTORY_INTERVAL_H
#define IC_AUDIT_TRAJECTORY_INTERVAL_H

#include "audit/trajectory/clock.h"
#include "audit/trajectory/predict.h"
#include "audit/trajectory/trajectory.h"

/** Rows of an interval's both ends, and what explains the second from the first. */
typedef enum ic_explanation {
    /* the case with its guards, from the mode that was tracked */
    IC_BY_GUARDS,

    /* the same from another mode */
    IC_ANOTHER_MODE,

    /* the flow of one mode, as if there were no guards */
    IC_WITHOUT_EVENTS,

    /* the flow of one mode whose invariant does not hold, or which ought to be over where the rows
       begin */
    IC_UNHELD,

    /* nothing, but noise of its first row may */
    IC_IN_DOUBT,

    /* nothing */
    IC_UNEXPLAINED,
} ic_explanation;

typedef struct ic_interval {
    /* rows */
    size_t from, to;

    /* tracked rows from one to the other */
    size_t stride;

    /* at its start, as explained */
    int mode;

    /* the mode in which the intervals before ended; -1: none before */
    int tracked;

    int end_mode;
    ic_explanation explanation;

    /* greatest over the states, in tolerances */
    double defect;

    /* the state of that */
    size_t worst;

    /* no mode was known before it */
    bool unknown;

    /* events that the case has here, from the tracked mode */
    size_t due;

    /* s; of the first */
    double t_due;

    /* nothing explains it, but to follow some mode would take too many steps: it decides nothing */
    bool gave_up;

    /* what explains it has an event */
    bool jumps;

    /* it is explained within the noise of its first row, and not from it */
    bool doubtful;

    /* states at its start, of which those are known that follow from the others; NULL: none */
    double *memory;

    /* J; energy at its end above that of the case */
    double energy_gain;

    /* J; by the case's jumps in it */
    double energy_taken;
} ic_interval;

typedef struct ic_tracking {
    const ic_trajectory *trajectory;
    const ic_problem *problem;
    ic_predictor predictor;

    /* of a state's range: what rows are held to, noise apart */
    double accept;

    /* greatest less least value */
    double range[IC_MAX_STATES];

    /* standard deviation of a row, estimated */
    double noise[IC_MAX_STATES];

    /* at most, by the digits of the file */
    double rounding[IC_MAX_STATES];

    /* of a local defect */
    double tolerance[IC_MAX_STATES];

    /* of a local defect, by noise */
    double deviation[IC_MAX_STATES];

    /* error of a velocity that is had by differences; else 0 */
    double sampling[IC_MAX_STATES];

    /* s; of the case's motion */
    double time_scale;

    /* s; from row to row, as tracked: the median */
    double spacing;

    /* how well the times are known */
    ic_clock clock;

    /* what that makes of an interval: of the ranges the greatest part, the median */
    double slack;

    /* modes that the start or a jump leads to */
    bool reached[IC_PREDICT_MODES];

    /* those that are tracked: thinned, without the rows at events */
    size_t *rows, n_rows;

    ic_interval *intervals;
    size_t n_intervals;

    /* of the intervals */
    double *memory;

    bool no_memory;
} ic_tracking;

/** Whether state j is not in the rows, but what the contact remembers. */
bool ic_is_memory(const ic_tracking *k, size_t j);

/** Whether a state is not in the rows, but what the contact remembers, followed along them. */
bool ic_remembers_contact(const ic_tracking *k);

/**
 * Of more states each prediction costs much: noise is followed in all of them at once, in a few
 * directions.
 */
enum { IC_MANY_STATES = 8 };
bool ic_has_many_states(const ic_tracking *k);

/** Whether the case has an event in an interval, or what explains it has. */
bool ic_interval_has_event(const ic_interval *interval);

/** The state at the start of an interval, memory included. */
void ic_interval_state(double *x, const ic_tracking *k, const ic_interval *interval);

/**
 * What rounded times make of each state, from a row's in a mode to where the case leads by another
 * row. Zeros where both times are exact.
 */
void ic_time_slack(double *slack, const ic_tracking *k, size_t from, const double *x, int mode, size_t to,
                   const ic_prediction *end);

/**
 * How far a prediction of an interval's end is from its row: the greatest over the states, in
 * tolerances, and which state that is.
 */
double ic_interval_defect(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end,
                          size_t *worst);

#endif
