/* SPDX-License-Identifier: MIT */
/** How the rows follow the case: intervals, their accuracy, and trials of modes. */
#pragma once

#include "audit/trajectory/input/input.h"

#include <stdbool.h>

/**
 * predict.c: Short predictions of a case from a given state: with its guards, or along the flow of one mode
 * without guards.
 */

enum { IC_PREDICT_MODES = 64 };

typedef struct ic_predictor {
    ic_problem guarded, smooth;

    /* The variant with terminal modes continued. */
    ic_variant with_guards, without_guards;

    ic_mode guarded_modes[IC_PREDICT_MODES], modes[IC_PREDICT_MODES];
    const ic_solver *solver;
    double rtol;
} ic_predictor;

typedef struct ic_prediction {
    /* False if the prediction failed; then no other member is set. */
    bool good;

    /* True if it failed because it took too many steps. */
    bool gave_up;

    double x[IC_MAX_STATES];
    int mode;
    size_t events;

    /* Time of the first event, s; NAN: none. */
    double t_event;

    /* Name of the first event. */
    char event[32];

    /* Energy that all jumps take, J; 0 if modes have no energy balance. */
    double energy_taken;
} ic_prediction;

/**
 * Open a predictor for a variant of a problem's case. false: too many modes. It contains pointers
 * into itself: do not copy it.
 */
bool ic_predictor_open(ic_predictor *predictor, const ic_problem *problem, const ic_variant *variant);

/** Gives a problem parameters of its own, to be freed, with the values that it has. NULL: memory ran out. */
double *ic_own_parameters(ic_problem *problem);

/** Predict from x in `mode` at t0 to t1 > t0. */
void ic_predict(ic_prediction *prediction, const ic_predictor *predictor, bool guards, double t0,
                const double *x, int mode, double t1);

/** interval.c: An interval between two tracked rows, and the distance of a predicted end from the row. */

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

    /* True if no event of the case is known to have led to its mode: its guards may not be passed there. */
    bool entered;

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

    /* It starts at a guard, which fires at once. */
    bool at_guard;

    /* States at its start, of which only memories are set; NULL: none. */
    double *memory;

    /* Energy at its last row minus the predicted one, J. */
    double energy_gain;

    /* Energy that jumps of the case take in the interval, J. */
    double energy_taken;
} ic_interval;

/** A value that is so many ranges away from the others is an outlier. */
#define IC_FAR_OUT 20.0

typedef struct ic_tracking {
    const ic_trajectory *trajectory;
    const ic_problem *problem;
    ic_predictor predictor;

    /* Accuracy required of rows, relative to the ranges, without noise. */
    double accept;

    /* Range of each state, without a few outliers. */
    double range[IC_MAX_STATES];

    /* The middle of that range. */
    double centre[IC_MAX_STATES];

    /* Estimated standard deviation of each state in a row. */
    double noise[IC_MAX_STATES];

    /* Greatest rounding error of each state, from the digits of the file. */
    double rounding[IC_MAX_STATES];

    /* Tolerance of a local defect. */
    double tolerance[IC_MAX_STATES];

    /* Standard deviation of a local defect caused by noise. */
    double deviation[IC_MAX_STATES];

    /* Greatest error of a velocity that was computed from differences; otherwise 0. */
    double sampling[IC_MAX_STATES];

    /* The part of the tolerance that those errors cause. */
    double sampled[IC_MAX_STATES];

    /* Typical time of the motion, s. */
    double time_scale;

    /* Median spacing of tracked rows, s. */
    double spacing;

    /* step of an even grid of times, s, and by how much rows differ from it; 0: there is none */
    double grid_step, uneven_by;

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

/**
 * Whether a row lies between two of an even grid, as the row of an event does: it may have the state before or after the
 * event, which the rows of the grid tell.
 */
bool ic_row_is_between_steps(const ic_tracking *k, size_t row);

/** Whether state j is a memory of the contact, followed along the rows. */
bool ic_is_memory(const ic_tracking *k, size_t j);

/**
 * Whether a value of state j is a whole number but for noise, and the state discrete. `state > 0` is exact, so that
 * noise of a row would decide it where the state is 0.
 */
bool ic_is_whole(const ic_tracking *k, size_t j, double value);

/** The error of a velocity from differences at a row: half of its change of slope between rows, at most. */
double ic_sampling_error(const ic_trajectory *tr, size_t row, size_t j);

/** Whether any state comes from `source`. */
bool ic_has_source(const ic_tracking *k, ic_column_source source);

/** Whether any state is a memory of the contact. */
bool ic_remembers_contact(const ic_tracking *k);

/** Part of a range above which noise shows. */
#define IC_NOISE_SHOWS 1e-6

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

/** The tolerances of the states at the interval's last row, where the case ends; without the rounding of times. */
void ic_interval_tolerances(double *tolerance, const ic_tracking *k, const ic_interval *interval,
                            const ic_prediction *end);

/**
 * Distance of a predicted end from the interval's last row: the greatest over the states, in
 * tolerances, and its state.
 */
double ic_interval_defect(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end,
                          size_t *worst);

/** bouncing_body.c: A body that bounces off a stop. */

/** One body that bounces off a stop at rest, and keeps its energy between impacts. */
typedef struct ic_bouncing_body {
    ic_moving state;

    /* Number of the parameter that is the coefficient of restitution. */
    size_t e;

    /* Position at the stop, m. */
    double stop;

    /* From the stored energy, kg. */
    double mass;

    /* Rate of the gap divided by that of the position: 1 or -1. */
    double side;

    /* Stored energy of the body at rest at the stop, J. */
    double at_stop;

    /* Acceleration towards the stop of the body at rest there, m/s^2. */
    double pull;

    /* Greatest acceleration in the rows, m/s^2. */
    double most;
} ic_bouncing_body;

/** Find the body. false: the case does not have one. */
bool ic_bouncing_body_of(ic_bouncing_body *body, const ic_tracking *k);

/** Acceleration of that body in free motion, m/s^2. */
double ic_bouncing_acceleration(const ic_bouncing_body *body, const ic_tracking *k, size_t row);

/**
 * tracking.c: Bound of the processor time for seeking causes: a failing file ends soon, and says what was not
 * sought.
 */

/** Processor time after which nothing further is tried, s. */
#define IC_MOST_EFFORT 5.0

/** Processor time of this program until now, s. */
double ic_effort_now(void);

/** Whether an audit that began at that processor time has used up its part. */
bool ic_effort_is_spent(double began);

/**
 * mode_trial.c: Trials of modes: whether the case leads from the first row of an interval to its last row if it
 * starts in a given mode.
 */

/** A violated invariant, or a guard that was passed: its value and tolerance. */
typedef struct ic_breach {
    /* NULL: none */
    const char *name, *unit;

    double value, tolerance;
} ic_breach;

/**
 * Tolerance of a guard's value at a row, from the noise and the accepted accuracy of the states.
 */
double ic_guard_tolerance(const ic_tracking *k, const ic_guard *guard, double t, const double *x);

/** Whether a guard that ends a mode is enabled at a state, and beyond zero by more than `by`, in its unit. */
bool ic_guard_is_passed(const ic_guard *guard, double t, const double *x, const double *par, double by);

/** The invariant of a mode that is violated most at a state, relative to its tolerance. */
ic_breach ic_mode_breach(const ic_tracking *k, int mode, double t, const double *x);

/**
 * The worst breach at an interval's first row: of invariants, and, if no event of the case is known to
 * have led to its mode, of the guards of this mode.
 */
ic_breach ic_interval_breach(const ic_tracking *k, const ic_interval *interval);

/** Whether the invariants of a mode hold at an interval's first row. */
bool ic_mode_holds(const ic_tracking *k, const ic_interval *interval, int mode);

typedef struct ic_mode_trial {
    ic_prediction end;
    int mode;

    /* True if the guards of the mode were used. */
    bool guards;

    /* Greatest defect over the states, in tolerances, and its state. */
    double defect;
    size_t worst;

    /* As in ic_interval. */
    double shift_from, shift_to;
} ic_mode_trial;

/** Part of an interval in which no flow changes a state by a tolerance. */
#define IC_AT_ONCE 1e-9

/** Try one mode. The interval records whether the prediction took too many steps. */
void ic_mode_trial_run(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval, int mode, bool guards);

/**
 * Whether the tracked mode has an event at the last row itself, which rounding puts behind it; *h then has it, and may
 * explain the row.
 */
bool ic_mode_trial_at_end(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval);

/**
 * Tries the tracked mode up to its event if that is at the time of the last row, which may have the state before it. *h,
 * the trial with the event, is changed only if this explains the interval.
 */
bool ic_mode_trial_before_event(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval);

/**
 * Leaves a contact, which explains the interval, for the free mode if the bodies are apart and the free mode explains it
 * as well: noise has hidden the end of the contact, whose law has no force there.
 */
void ic_mode_trial_leave(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval);

/**
 * Improve `best` by trials of all reachable modes until one explains the interval. The order: with
 * guards, modes whose guards are not yet passed before the others; then without guards; at last
 * modes whose invariants do not hold, which count only if they explain the interval.
 */
void ic_mode_trial_best(ic_mode_trial *best, const ic_tracking *k, ic_interval *interval);

/** motion_time.c: The typical time of a case's motion, from the motion itself. */

/**
 * Typical time, s, in which the velocity of the case in its state space changes by its own
 * magnitude, in the modes that the case's own run visits or by its events. Unlike the time scale that a case states,
 * it does not depend on parameters that do not affect the motion. If nothing moves in that run, the
 * rows of the trajectory are used; if nothing moves in these either, the time scale of the case.
 */
double ic_motion_time(const ic_predictor *predictor, const ic_problem *problem, const ic_trajectory *tr);

/**
 * noise.c: Noise of a state, estimated from the rows alone. The k-th difference of a smooth quantity
 * decreases with k, that of noise of deviation sigma has the deviation sigma sqrt(binomial(2k, k));
 * divided differences do the same for unequal spacing. The estimate is the least over k = 2 to 6 of
 * medians, which events and steps do not affect.
 */

/**
 * Median of |z| for a standard normal z: divides a median of deviations to give a standard
 * deviation.
 */
#define IC_NORMAL_MEDIAN 0.6744897501960817

/** Standard deviation; 0 for fewer than three rows without an event. false: memory ran out. */
bool ic_noise_estimate(double *sigma, const ic_trajectory *trajectory, size_t state);

/** The median of n numbers, which it sorts; NAN for none. */
double ic_audit_median(double *values, size_t n);

/** A value and its weight. */
typedef struct ic_weighted {
    double value, weight;
} ic_weighted;

/** The weighted median of n values, which it sorts; NAN: none. */
double ic_weighted_median(ic_weighted *values, size_t n);

/**
 * noisy_start.c: Starts within the noise of a row. If the noise leaves open whether a guard was passed, the case
 * continues in one of two ways. No linear tolerance covers this, so that the starts themselves must
 * be tried.
 */

/**
 * Tries the tracked mode from a start at which a guard fires, if the row is there but for its noise and rounding: it
 * may be the row of an event, with the state before. *h is changed only if this explains the interval. `is_passed`: only
 * guards beyond which the row is.
 */
bool ic_start_at_guard(ic_mode_trial *h, const ic_tracking *k, const ic_interval *interval, bool is_passed);

/**
 * Whether the case with its guards, started in a mode within the noise of an interval's first row,
 * reaches its second row within the tolerances. `end` receives the end of this run.
 */
bool ic_noisy_start(ic_prediction *end, const ic_tracking *k, const ic_interval *interval, int mode);

/**
 * Whether noise may explain an interval: whether its second row lies within the box of ends that
 * the case reaches through its guards from starts within the noise of the first row. A wide box
 * after impacts proves little: such an interval is in doubt, not explained.
 */
bool ic_noise_may_explain(const ic_tracking *k, const ic_interval *interval, int mode);

/**
 * robust_slope.c: Fits a straight line through the origin, z = s a, to points with errors of which only the
 * relative sizes are known, and some of which are outliers. The result is the slope and its
 * uncertainty, from the scatter of the points. Huber & Ronchetti, Robust Statistics, 7; White,
 * Econometrica 48 (1980).
 */

typedef struct ic_slope_point {
    /* Group of points whose errors have one source; points of a group are consecutive. */
    size_t group;

    /* In expected deviations of z. */
    double z, a;

    /* Least uncertainty of z, in the same unit, even if the points scatter less. */
    double floor;
} ic_slope_point;

typedef struct ic_fitted_slope {
    /* NAN: no point determines it. */
    double value;

    /*
     * Standard deviation from the scatter of the points; for few points also from the expected one.
     */
    double deviation;

    /* Scatter of z about the line, from a median; 1: as expected. */
    double scatter;

    /* scatter of z about zero, by the same median */
    double before;

    /* effective number of groups that determine it */
    double n;
} ic_fitted_slope;

/** Fit the slope; `shared`: number of groups for each independent one. */
ic_fitted_slope ic_robust_slope(const ic_slope_point *points, size_t n, double shared);

/**
 * row_accuracy.c: The accuracy of the rows: their noise and rounding, and the tolerances derived from these.
 */

/**
 * Ranges, rounding, noise (known deviations, or NULL: estimated) and times of the rows. false:
 * memory ran out.
 */
bool ic_rows_measure(ic_tracking *k, const double *noise);

/**
 * Set the tolerances of local defects. `sharpens`: rows that follow the case more closely than the
 * accepted accuracy get smaller tolerances. false: memory ran out.
 */
bool ic_rows_set_tolerances(ic_tracking *k, bool sharpens, bool noise_is_known);

/** Greatest rounding error of the printed values of state j, in its unit; 0: they have all their digits. */
double ic_rows_rounding(const ic_trajectory *trajectory, size_t j);

/** Whether any state has visible noise: more than 1e-6 of its range. */
bool ic_noise_shows(const ic_tracking *k);

/** Whether any state has noise beyond rounding. */
bool ic_noise_is_there(const ic_tracking *k);

/** Least number of intervals that decide anything. */
enum { IC_LEAST_INTERVALS = 8 };

/**
 * Whether noise or rounded times are so large that rows which agree with the case prove nothing.
 */
bool ic_noise_hides(const ic_tracking *k);

/** The same for rounded times alone. */
bool ic_times_hide(const ic_tracking *k);

/** Whether the times of some rows are rounded. */
bool ic_times_are_rounded(const ic_tracking *k);

/** Whether so many states have so much noise that its effect on events cannot be predicted. */
bool ic_noise_is_rough(const ic_tracking *k);

/**
 * tracking.c: Tracking of a trajectory: the case is followed from each row to the next. The difference at the
 * next row, the local defect, shows in which mode the rows are and whether the guards ended it
 * where they should. Errors do not accumulate, so that chaotic motion is no problem.
 */

/** Options of an audit; NULL, or zeros: the defaults. */
typedef struct ic_trajectory_options {
    /*
     * Accuracy required of rows, relative to the states' ranges, without noise; 0:
     * ic_tolerance_accuracy.
     */
    double accept;

    /* Typical time, s; 0: estimated from the motion of the case. */
    double time_scale;

    /* The rows may end within an impact. */
    bool partial;

    /* How many mistakes have been corrected before. */
    int corrected;

    /* Processor time at which the audit began, s; 0: now. */
    double began;
} ic_trajectory_options;

/** The accuracy of the options, or the default. */
double ic_accept(const ic_trajectory_options *options);

/**
 * Track a trajectory. `noise`: known deviations, or NULL. false: memory ran out, or there are too
 * many modes.
 */
bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options);
void ic_tracking_close(ic_tracking *k);

size_t ic_tracking_count(const ic_tracking *k, ic_explanation explanation);

/** Index of a row among the tracked ones. */
size_t ic_tracked_row(const ic_tracking *k, size_t row);

/** Index among the tracked rows of the one at which the first unexplained interval begins; the last if there is none. */
size_t ic_first_unexplained(const ic_tracking *k);

/** Follows the case from one row to another, in the mode that explains them best. */
ic_interval ic_follow_between(const ic_tracking *k, size_t from, size_t to);

/**
 * Share of the intervals of some rows that a problem leaves unexplained, with the accuracy of a tracking; 1: the rows
 * cannot be followed.
 */
double ic_share_wrong(const ic_trajectory *rows, const ic_problem *problem, const ic_tracking *k,
                      const double *noise);

/**
 * Whether the case, run from its own start, has an event other than its terminal one; true also if
 * the run fails.
 */
bool ic_case_has_events(const ic_tracking *k);

/**
 * spans.c: Spans of several intervals of a tracked trajectory, with the case's events in them. They are
 * longer than an interval, so that the effect of parameters exceeds noise, and shorter than a
 * typical time, so that errors do not grow.
 */

typedef struct ic_span {
    ic_interval first;

    /* row */
    size_t to;

    /*
     * True if the case reaches the row through the same events with and without the noise of the
     * first row.
     */
    bool good;

    /* events of the case in it */
    size_t events;

    int mode_end;
} ic_span;

typedef struct ic_spans {
    const ic_tracking *k;
    ic_span *spans;
    size_t n;

    /* duration of the longest */
    double seconds;

    /* number of spans that share a row */
    double shared;

    /* For each span and state: the end of the case. */
    double *end;

    /* For each span and state: the deviation of the row from that end caused by noise. */
    double *deviation;

    /* For each span and state: the change of that end caused by rounded times. */
    double *slack;
} ic_spans;

/**
 * Choose evenly spread spans and spans with events, and predict their ends. false: memory ran out;
 * close them in either case.
 */
bool ic_spans_open(ic_spans *spans, const ic_tracking *k);
void ic_spans_close(ic_spans *spans);

/** Predict a span's end by a predictor that may have other parameters. */
void ic_span_predict(ic_prediction *end, const ic_spans *spans, size_t i, const ic_predictor *predictor);

/** Whether a prediction has the same events and final mode as the case. */
bool ic_span_same_way(const ic_spans *spans, size_t i, const ic_prediction *end);

/** Whether a state is measured, so that its values are evidence. */
bool ic_state_is_measured(const ic_tracking *k, size_t j);

/** Rounding over a span, and the solver's error at IC_SPAN_RTOL, relative to a state's range. */
#define IC_SPAN_ROUNDING 1e-13
#define IC_SPAN_RTOL 1e-13
