/* SPDX-License-Identifier: MIT */
/** An interval between two tracked rows, and the distance of a predicted end from the row. */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_INTERVAL_H
#define IC_AUDIT_TRAJECTORY_TRACK_INTERVAL_H

#include "audit/trajectory/input/clock.h"
#include "audit/trajectory/input/trajectory.h"
#include "audit/trajectory/track/predict.h"

/** The explanation of an interval's last row, given its first row. */
typedef enum ic_explanation {
    /* The case with its guards, from the tracked mode. */
    IC_BY_GUARDS,

    /* The case with its guards, from another mode. */
    IC_ANOTHER_MODE,

    /* The flow of one mode without its guards. */
    IC_WITHOUT_EVENTS,

    /* The flow of a mode whose invariant does not hold, or which should have ended before. */
    IC_UNHELD,

    /* None, but noise of the first row may be the reason. */
    IC_IN_DOUBT,

    /* None. */
    IC_UNEXPLAINED,
} ic_explanation;

typedef struct ic_interval {
    /* First and last row. */
    size_t from, to;

    /*
     * Where a row lies at the instant of a time event: the time from which, or to which, the case is followed minus
     * that of the row, s.
     */
    double shift_from, shift_to;

    /* Number of tracked rows between them. */
    size_t stride;

    /* Mode at its start, according to the explanation. */
    int mode;

    /* Mode at the end of the interval before; -1: there is no interval before. */
    int tracked;

    int end_mode;
    ic_explanation explanation;

    /* Greatest defect over the states, in tolerances. */
    double defect;

    /* State with that defect. */
    size_t worst;

    /* True if the mode before the interval is unknown, or only named in the file. */
    bool unknown;

    /* Number of events of the case in the interval, predicted from the tracked mode. */
    size_t due;

    /* Time of the first event, s. */
    double t_due;

    /*
     * True if the interval is unexplained and a prediction took too many steps, so that it decides
     * nothing.
     */
    bool gave_up;

    /* True if its explanation contains an event. */
    bool jumps;

    /* True if only the noise of its first row explains it. */
    bool doubtful;

    /* States at its start, of which only memories are set; NULL: none. */
    double *memory;

    /* Energy at its last row minus the predicted one, J. */
    double energy_gain;

    /* Energy that jumps of the case take in the interval, J. */
    double energy_taken;
} ic_interval;

typedef struct ic_tracking {
    const ic_trajectory *trajectory;
    const ic_problem *problem;
    ic_predictor predictor;

    /* Accuracy required of rows, relative to the ranges, without noise. */
    double accept;

    /* Range of each state. */
    double range[IC_MAX_STATES];

    /* Estimated standard deviation of each state in a row. */
    double noise[IC_MAX_STATES];

    /* Greatest rounding error of each state, from the digits of the file. */
    double rounding[IC_MAX_STATES];

    /* Tolerance of a local defect. */
    double tolerance[IC_MAX_STATES];

    /* Standard deviation of a local defect caused by noise. */
    double deviation[IC_MAX_STATES];

    /* Error of a velocity that was computed from differences; otherwise 0. */
    double sampling[IC_MAX_STATES];

    /* Typical time of the motion, s. */
    double time_scale;

    /* Median spacing of tracked rows, s. */
    double spacing;

    /* Accuracy of the times. */
    ic_clock clock;

    /* Median over intervals of the greatest change by rounded times, relative to the ranges. */
    double slack;

    /* Modes that can be reached from the start. */
    bool reached[IC_PREDICT_MODES];

    /* Tracked rows: a selection, without the rows at events. */
    size_t *rows, n_rows;

    ic_interval *intervals;
    size_t n_intervals;

    /* Memories of the contact at the intervals. */
    double *memory;

    bool no_memory;

    /* Processor time at which the audit began, s. */
    double began;

    /* the rows are read again, to name a mistake that the first reading has found */
    bool is_again;
} ic_tracking;

/** Whether state j is a memory of the contact, followed along the rows. */
bool ic_is_memory(const ic_tracking *k, size_t j);

/**
 * Whether a value of state j is a whole number but for noise, and the state discrete. `state > 0` is exact, so that
 * noise of a row would decide it where the state is 0.
 */
bool ic_is_whole(const ic_tracking *k, size_t j, double value);

/** Whether any state comes from `source`. */
bool ic_has_source(const ic_tracking *k, ic_column_source source);

/** Whether any state is a memory of the contact. */
bool ic_remembers_contact(const ic_tracking *k);

/** Whether the noise of any state exceeds the fraction `part` of its range. */
bool ic_noise_exceeds(const ic_tracking *k, double part);

/**
 * Number of states from which on predictions are expensive. Noise is then followed in a few
 * directions only, in all states at once.
 */
enum { IC_MANY_STATES = 8 };
bool ic_has_many_states(const ic_tracking *k);

/** Whether the case, or the explanation of the interval, has an event in it. */
bool ic_interval_has_event(const ic_interval *interval);

/** The state at the start of an interval, memory included. Discrete states that may be whole numbers are. */
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
