/* SPDX-License-Identifier: MIT */
/** An interval between two tracked rows, and the distance of a predicted end from the row. */
#ifndef IC_AUDIT_TRAJECTORY_INTERVAL_H
#define IC_AUDIT_TRAJECTORY_INTERVAL_H

#include "audit/trajectory/clock.h"
#include "audit/trajectory/predict.h"
#include "audit/trajectory/trajectory.h"

/** What explains an interval's last row, given its first row. */
typedef enum ic_explanation {
    /* the case with its guards, from the tracked mode */
    IC_BY_GUARDS,

    /* the case with its guards, from another mode */
    IC_ANOTHER_MODE,

    /* the flow of one mode without its guards */
    IC_WITHOUT_EVENTS,

    /* the flow of one mode whose invariant does not hold, or which should already have ended */
    IC_UNHELD,

    /* nothing, but noise of the first row may */
    IC_IN_DOUBT,

    /* nothing */
    IC_UNEXPLAINED,
} ic_explanation;

typedef struct ic_interval {
    /* rows */
    size_t from, to;

    /* number of tracked rows from one to the other */
    size_t stride;

    /* mode at its start, as explained */
    int mode;

    /* mode at the end of the interval before; -1: none before */
    int tracked;

    int end_mode;
    ic_explanation explanation;

    /* the greatest over the states, in tolerances */
    double defect;

    /* its state */
    size_t worst;

    /* the mode before it is unknown */
    bool unknown;

    /* events of the case in it, from the tracked mode */
    size_t due;

    /* s; time of the first */
    double t_due;

    /* unexplained, and some prediction took too many steps: it decides nothing */
    bool gave_up;

    /* its explanation contains an event */
    bool jumps;

    /* explained only within the noise of its first row */
    bool doubtful;

    /* states at its start, of which only memories are set; NULL: none */
    double *memory;

    /* J; energy at its last row above the prediction */
    double energy_gain;

    /* J; energy taken by the case's jumps in it */
    double energy_taken;
} ic_interval;

typedef struct ic_tracking {
    const ic_trajectory *trajectory;
    const ic_problem *problem;
    ic_predictor predictor;

    /* accuracy to which rows are held, relative to the ranges, apart from noise */
    double accept;

    /* range of each state */
    double range[IC_MAX_STATES];

    /* standard deviation of each state in a row, estimated */
    double noise[IC_MAX_STATES];

    /* greatest rounding error, from the digits of the file */
    double rounding[IC_MAX_STATES];

    /* tolerance of a local defect */
    double tolerance[IC_MAX_STATES];

    /* standard deviation of a local defect by noise */
    double deviation[IC_MAX_STATES];

    /* error of a velocity from differences; else 0 */
    double sampling[IC_MAX_STATES];

    /* s; typical time of the motion */
    double time_scale;

    /* s; median spacing of tracked rows */
    double spacing;

    /* accuracy of the times */
    ic_clock clock;

    /* median over intervals of the greatest change, in ranges, by rounded times */
    double slack;

    /* modes reachable from the start */
    bool reached[IC_PREDICT_MODES];

    /* tracked rows: thinned, without the rows at events */
    size_t *rows, n_rows;

    ic_interval *intervals;
    size_t n_intervals;

    /* memories of the intervals */
    double *memory;

    bool no_memory;
} ic_tracking;

/** Whether state j is a memory of the contact, followed along the rows. */
bool ic_is_memory(const ic_tracking *k, size_t j);

/** Whether any state comes from `source`. */
bool ic_has_source(const ic_tracking *k, ic_column_source source);

/** Whether any state is a memory of the contact. */
bool ic_remembers_contact(const ic_tracking *k);

/** Whether the noise of any state exceeds `part` of its range. */
bool ic_noise_exceeds(const ic_tracking *k, double part);

/**
 * With more states predictions are expensive: noise is followed in a few directions only, in all
 * states at once.
 */
enum { IC_MANY_STATES = 8 };
bool ic_has_many_states(const ic_tracking *k);

/** Whether the case, or the explanation of the interval, has an event in it. */
bool ic_interval_has_event(const ic_interval *interval);

/** The state at the start of an interval, memory included. */
void ic_interval_state(double *x, const ic_tracking *k, const ic_interval *interval);

/** The same if the interval starts in `mode`. */
void ic_interval_state_in(double *x, const ic_tracking *k, const ic_interval *interval, int mode);

/** Follow the case from the interval's first row, in `mode`, to the time of its last row. */
void ic_interval_predict(ic_prediction *end, const ic_tracking *k, const ic_interval *interval, int mode,
                         bool guards);

/**
 * Change of each state by the rounding of the times at both ends; zeros if both times are exact.
 * `mode` is that of the first row.
 */
void ic_time_slack(double *slack, const ic_tracking *k, size_t from, const double *x, int mode, size_t to,
                   const ic_prediction *end);

/**
 * Distance of a predicted end from the interval's last row: the greatest over the states, in
 * tolerances, and its state.
 */
double ic_interval_defect(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end,
                          size_t *worst);

#endif
