/* SPDX-License-Identifier: MIT */
/** The audit of a solver: what its files share. Other folders call the audit in parts. */
#pragma once

#include "audit/common/finding.h"

#include <stdint.h>

/**
 * check_contract.c: Clauses of the event contract on small systems: the given start, the limit of infinitely many
 * events, and values that are not finite.
 */

/** Adds rows; returns the mistake, or IC_NO_MISTAKE. `late`: the mistake of the steps or of the location. */
ic_mistake_id ic_audit_contract(ic_finding_writer *writer, const ic_solver *solver, ic_mistake_id late);

/**
 * check_effort.c: Whether an adaptive solver's steps match its order and the tolerance, and whether it observes
 * directions.
 */

/**
 * Adds rows; returns the mistake, or IC_NO_MISTAKE. There are no rows if the solver claims no order
 * or takes no tolerance.
 */
ic_mistake_id ic_audit_effort(ic_finding_writer *writer, const ic_solver *solver);

/** Adds a row on a guard that is first passed in the wrong direction. false: it fires there. */
bool ic_audit_direction(ic_finding_writer *writer, const ic_solver *solver);

/**
 * known.c: Mistakes that are known from the first part of an audit, and the failures that they may claim in the
 * others: those at which a solver with this mistake alone would fail.
 */

/** What they are mistakes of. */
typedef enum ic_known_role {
    /* times of events and states at them */
    IC_KNOWN_EVENTS,

    /* steps, without events */
    IC_KNOWN_STEPS,

    /* IC_MISTAKE_DIRECTION_IGNORED, or none */
    IC_KNOWN_DIRECTION,

    /* IC_MISTAKE_INTERPOLANT_COARSE, or none, if it is not so coarse that its check fails: it claims what
       nothing else does */
    IC_KNOWN_INTERPOLANT,

    /* of samples alone */
    IC_KNOWN_SAMPLES,
    IC_KNOWN_ROLES
} ic_known_role;

typedef struct ic_known {
    ic_mistake_id of[IC_KNOWN_ROLES];
} ic_known;

/** What is wrong in a run. */
typedef enum ic_wrong {
    /* the motion before the first event */
    IC_WRONG_BEFORE,

    /* times of events, or the motion after them */
    IC_WRONG_AFTER,

    /* an additional or missing event */
    IC_WRONG_EVENTS,

    /* samples, where events and the end are right */
    IC_WRONG_SAMPLES,

    /* states before events alone */
    IC_WRONG_STATES_BEFORE,

    /* the end alone */
    IC_WRONG_END,

    /* the run does not finish */
    IC_WRONG_STATUS,
} ic_wrong;

/** Whether a solver with this mistake alone would fail there. */
bool ic_may_claim(ic_mistake_id mistake, ic_wrong wrong);

/** The known mistake that claims a failure; IC_NO_MISTAKE: none. */
ic_mistake_id ic_known_claim(const ic_known *known, ic_wrong wrong);

/** The mistake of events, or else of steps. */
ic_mistake_id ic_known_first(const ic_known *known);

/** Send them, as records of IC_RECORD_MISTAKE, and take such a record; false: it is malformed. */
void ic_write_known(ic_finding_writer *writer, const ic_known *known);
bool ic_known_take(ic_known *known, const ic_record *record);

/**
 * check_location.c: Event location: the place of an event in its step is swept, and steps or tolerances shrink.
 */

/** Whether lost, repeated and misplaced events of any problem follow from this mistake. */
bool ic_solver_explains_others(ic_mistake_id mistake);

/** Whether the mistake makes an adaptive solver take far too many steps, so that IC_ENOUGH_STEPS show it. */
bool ic_steps_are_too_short(const ic_solver *solver, ic_mistake_id mistake);
#define IC_ENOUGH_STEPS 1e5

/** Whether a run's log has its end. */
bool ic_solver_reports_end(const ic_solver *solver);

/** Adds rows, and fills in the mistake that explains wrong steps. Returns the one that explains wrong event times. */
ic_mistake_id ic_audit_location(ic_finding_writer *writer, const ic_solver *solver, ic_known *known);

/**
 * check_log.c: Comparison of a solver's log with the model alone: each entry must follow from the one before it.
 */

/** Contradictions between a log and the model. */
typedef struct ic_log_reading {
    /* number of entries that do not follow from the one before */
    size_t wrong;

    /* The mistake of the first one; IC_NO_MISTAKE: none. */
    ic_mistake_id cause;

    /* Description and time of the first one. */
    char first[96];
} ic_log_reading;

/**
 * Reads the log of a run that ended with IC_OK: states and modes after events against their jumps,
 * sequence numbers and order (if the solver keeps clause 4), conditions of guards, terminal modes, and the end.
 */
ic_log_reading ic_log_read(const ic_log *log, const ic_solver *solver);

/** The guard that has fired; NULL: the event has none. */
const ic_guard *ic_event_guard(const ic_problem *problem, const ic_event *event);

/** Adds a row on the log. `repeats`: the known mistake by which events may be found again, or IC_NO_MISTAKE. */
void ic_audit_log(ic_finding_writer *writer, const ic_log *log, const ic_solver *solver, ic_mistake_id repeats);

/**
 * check_preset.c: A solver on presets of all cases: events, their times, and states, compared with an accurate
 * solver.
 */

/** Adds rows of audited preset i (audit/solver/solver.h). `known`: the mistakes found before, and here. */
void ic_audit_preset(ic_finding_writer *writer, const ic_solver *solver, size_t i, ic_known *known);

/**
 * check_repeats.c: Whether a solver's result depends only on the request, and whether the solver frees its memory.
 */

/**
 * Adds rows on a preset with two values of one parameter; none if the solver does not support it.
 */
void ic_audit_repeats(ic_finding_writer *writer, const ic_solver *solver);

/**
 * check_steps.c: The steps of a solver, apart from events: precision of its numbers, order, times of its stages,
 * what it keeps over a jump, and how an adaptive one controls its error.
 */

/** Adds rows; returns the mistake, or IC_NO_MISTAKE. The first of several is the one that explains
    the others. */
ic_mistake_id ic_audit_steps(ic_finding_writer *writer, const ic_solver *solver);

/**
 * free_swing.c: A free swing, x'' = -x from (1, 0), without an event: the errors of a solver's steps alone.
 */

typedef struct ic_free_swing {
    /* True if the run ended well. */
    bool solved;

    /* calls of the flow; 0: the solver works without it */
    double flows;

    /* of the reported end, 1; NAN: the run did not end well */
    double error;

    /*
     * at the ends of the last steps, which the solver's own calls show whatever it reports; INFINITY: they
     * show none
     */
    double own_error;
} ic_free_swing;

/** A run until `until`, s. */
ic_free_swing ic_free_swing_of(const ic_solver *solver, const ic_options *options, double until);

/** free_swing.c: A straight line by least squares, point by point. */

/** Begins with zeros. */
typedef struct ic_line_fit {
    /* sums over the points */
    double x, y, xx, xy;

    size_t n;
} ic_line_fit;

void ic_line_fit_add(ic_line_fit *fit, double x, double y);

/** Of two points or more. */
double ic_line_fit_slope(const ic_line_fit *fit);

/** The same; INFINITY if there are fewer than `least` points. */
double ic_line_fit_slope_of(const ic_line_fit *fit, size_t least);

/**
 * probe_oscillator.c: A swinging mass and an elastic wall, a probe for solvers that records the calls of its guard.
 *
 *     x'' = -x,  x(0) = 1,  x'(0) = 0;     x falls to c: x' = -x'
 *
 *     t_1 = arccos c,   t_(k+1) = t_k + 2 atan2(sin t_1, c),   and x^2 + x'^2 = 1 for ever.
 *
 * The guard is curved, steps are not trivial, answers are exact, and c places the first event
 * anywhere in a step.
 */

/** The latest calls of the guard before the first impact. */
enum { IC_PROBE_CALLS = 256 };
typedef struct ic_probe_calls {
    /* s, m */
    double t[IC_PROBE_CALLS], g[IC_PROBE_CALLS];

    /* m, m/s */
    double x[IC_PROBE_CALLS], v[IC_PROBE_CALLS];

    /* number of all calls; the newest IC_PROBE_CALLS are kept */
    size_t count;

    /* the same of the flow, s, m and m/s: states at ends of steps that no guard was called at */
    double flow_t[IC_PROBE_CALLS], flow_x[IC_PROBE_CALLS], flow_v[IC_PROBE_CALLS];
    size_t flow_count;

    /* the greatest time of the guard, s */
    double latest;

    /* an impact has happened */
    bool over;
} ic_probe_calls;

size_t ic_probe_calls_kept(const ic_probe_calls *of);

/**
 * Error of a run without a wall at the ends of its steps, which the solver's own calls show whatever it
 * reports: the least of the latest IC_PROBE_CALLS calls of the flow at `from` s and later, since stages
 * within a step are less accurate. INFINITY: there are none.
 */
double ic_probe_oscillator_own_error(double from);

/**
 * A problem without a wall, valid like that of ic_probe_oscillator: an event marks each passage of
 * c in this direction, downwards (-1) at arccos c or upwards (+1) at 2 pi - arccos c.
 */
const ic_problem *ic_probe_mark(double c, int direction, double t_end);

/** A problem with the wall at c, in (-1, 1), until t_end. It is valid until the next call. */
const ic_problem *ic_probe_oscillator(double c, double t_end);

/** The same with a guard that is `factor` times as great. */
const ic_problem *ic_probe_scaled_wall(double c, double factor, double t_end);

/** Calls of flow and guard in the present run, and those whose states are of single precision. */
typedef struct ic_probe_precision {
    size_t flows, single_flows, guards, single_guards;
} ic_probe_precision;

ic_probe_precision ic_probe_oscillator_precision(void);

/** Calls of the guard in the problem's present run. */
const ic_probe_calls *ic_probe_oscillator_calls(void);

/** The time of impact k = 0, 1, ..., s. */
double ic_probe_oscillator_impact(double c, size_t k);

/**
 * location_cause.c: The cause of a wrong time or state of an impact of the swinging mass, found from the calls of the
 * guard.
 */

/** The first impact, as the solver reports it. */
typedef struct ic_reported_impact {
    /* reported time and exact time, s */
    double t, t_right;

    /* the state reported before it, m and m/s */
    double x, v;

    /* distance of this state from the wall, divided by its speed, s */
    double beside;
} ic_reported_impact;

/** The mistake; IC_NO_MISTAKE: none that is known. */
ic_mistake_id ic_location_cause(const ic_probe_calls *calls, const ic_reported_impact *reported);

/**
 * location_scale.c: How far a solver's impacts are off the wall, and what this distance scales with: the step, the
 * magnitude of the guard, or neither.
 */

typedef struct ic_location_scale {
    /* True if all runs ended well. */
    bool known;

    /* median over irrational places of a step, s: reported state off the wall */
    double off;

    /* with the smaller steps, s: median time late */
    double late;

    /* with the smaller steps, s: the error that is requested or that the same motion has without a wall, whichever is
       greater */
    double motion;

    /* late / motion */
    double beyond_motion;

    /* powers of the step and of the guard's inverse magnitude by which `off` falls */
    double by_step, by_guard;

    /* `off` over the length of a step */
    double of_step;

    /*
     * IC_NO_MISTAKE: the search has converged. NO_EVENT_LOCATION, LOCATION_CUT_SHORT,
     * RESIDUAL_TOLERANCE, ABSOLUTE_TIME: it has not.
     */
    ic_mistake_id cause;
} ic_location_scale;

ic_location_scale ic_location_scale_of(const ic_solver *solver);

/**
 * probe_clock.c: A driven mass with its own clock, which shows the times at which a solver evaluates flow, guards
 * and jumps:
 *
 *     x'' = cos(7 t),   s' = 1,   s(0) = 0;    marks at t + s = 1 and 4, which change nothing
 *
 * At any point of any method, s is the time to which its state belongs.
 */

typedef struct ic_clock_calls {
    /* True if the run ended well. */
    bool solved;

    /* stages beyond the start of a step, and those at another time than their state's */
    size_t stages, stale_stages;

    /* calls of the guard */
    size_t guards;

    /* those with the time of another point at which the motion was known; a clock that is wrong itself is no such
       time */
    size_t stale_guards;

    /* calls of the jump */
    size_t jumps;

    /* those with such a time */
    size_t stale_jumps;

    /*
     * calls whose time is a number of single precision, and those whose time has drifted away from
     * the clock by rounding
     */
    size_t calls, single, drifted;

    /* error of (x, x') at the end, 1 */
    double error;
} ic_clock_calls;

/** A run with these options, with marks or without events. The motion lasts 3 s. */
ic_clock_calls ic_probe_clock_run(const ic_solver *solver, const ic_options *options, bool with_marks);

/**
 * Whether the solver evaluates the flow at other times than those of its states, at more than half
 * of all stages beyond the start of a step. Predictions of implicit methods, which are corrected,
 * are fewer.
 */
bool ic_probe_clock_is_stale(const ic_solver *solver);

/**
 * probe_fast.c: Motions with a fast part, which show whether steps are controlled:
 *
 *     one of three   u_i = sin(w_i t), w = 30 rad/s for one of them and 0.3 rad/s for the others
 *     sudden         x = cos phi, y = sin phi, phi' = 0.1 + 1000 (1 + tanh((t - t_s)/0.001))
 */

enum { IC_FAST_STATES = 3 };

/** Greatest error of the states with state `fast` the fast one; NAN: the run does not end well. */
double ic_probe_one_of_three(const ic_solver *solver, const ic_options *options, int fast);

/** A run of the sudden motion. NAN: it does not end well, or the flow is never called. */
typedef struct ic_sudden_run {
    /* at the end, 1 */
    double error;

    /* rad; the longest turn of the motion without a call of the flow: an accepted step is no shorter */
    double unseen;
} ic_sudden_run;

/**
 * A motion that becomes fast within milliseconds at 1 s, and lasts 0.1 s more, or that is fast for 0.1 s
 * from the start. It turns by 200 rad while it is fast.
 */
ic_sudden_run ic_probe_sudden(const ic_solver *solver, const ic_options *options, bool from_start);

/**
 * probe_restart.c: A point that moves along p, jumps, and then moves along q, which shows what the steps after a
 * jump start from:
 *
 *     before:  p' = 4, q' = 0  until p = 4, or t = 1      then p = 0.3, q = 0.7
 *     after:   p' = q - 0.7,   q' = 2 - (p - 0.3)
 *
 * At the new state the new slope (0, 2) is perpendicular to the old one, (4, 0), so that explicit
 * stages of a method that starts anew leave the state along q alone.
 */

/** What leads to the motion along q. */
typedef enum ic_restart {
    /* the start itself */
    IC_RESTART_START,

    IC_RESTART_GUARD,
    IC_RESTART_TIME_EVENT,
} ic_restart;

/** What a solver does after it. */
typedef struct ic_restart_calls {
    /* True if the run ended well, and the flow was called after the jump, away from the new state. */
    bool known;

    /* True if a call was made at the new state itself. */
    bool at_new_state;

    /* True if the same stage is evaluated again and again, as implicit methods do. */
    bool iterates;

    /* of the first call away from the new state: the part of its distance that is along p, at most 1 */
    double along_old;

    /* distance from the new state of the first call at the instant of the jump; 0: none is off */
    double off;
} ic_restart_calls;

ic_restart_calls ic_probe_restart(const ic_solver *solver, ic_restart how);

/**
 * solver_parts.c: The audit of a solver in parts: event location; one or more presets of every case; every trap; a
 * repeated run. Each part can run in a process of its own, so that a crash or a hang hides no other
 * part.
 */

size_t ic_solver_part_count(void);

/** The name of a part in messages: "roller/III/C", "trap brief-ledge/throw". */
void ic_solver_part_name(char *name, size_t size, size_t part);

/** Runs one part. `known`: the mistakes that the parts before have found, which this one adds to. */
void ic_audit_solver_part(ic_finding_writer *writer, const ic_solver *solver, size_t part, ic_known *known);

/** disguise.c: A copy of a problem without names by which a solver could recognise it. */

typedef struct ic_disguise ic_disguise;

/** Names follow from the seed. The problem must outlive it; it stays until the process ends. NULL: memory ran out. */
ic_disguise *ic_disguise_open(const ic_problem *problem, const ic_solver *solver, uint64_t seed);
const ic_problem *ic_disguise_problem(const ic_disguise *disguise);

/** A copy of its log with the names of the original problem; NULL: memory ran out. */
ic_log *ic_disguise_lift(const ic_disguise *disguise, const ic_log *log);

/**
 * solver_run.c: One run of a foreign solver: its inputs are in guarded memory, and its log is checked for finite
 * numbers.
 */

typedef struct ic_solver_run {
    ic_log *log;
    ic_status status;

    /* number of changed bytes in and around problem, parameters and options */
    size_t damage;

    /* events, samples and ends whose time or state is not finite */
    size_t not_finite;
} ic_solver_run;

ic_solver_run ic_solver_run_of(const ic_solver *solver, const ic_problem *problem, const ic_options *options);
/** The same, with uninitialised stack memory filled with a byte. */
ic_solver_run ic_solver_run_filled(const ic_solver *solver, const ic_problem *problem,
                                   const ic_options *options, unsigned char byte);
/** End this process by SIGPROF when a later run takes more processor time than this, s; 0: no limit. */
void ic_solver_run_limit(double seconds);

/** Later runs see disguised problems, and presets with drawn parameters: of a plugin. */
void ic_solver_disguise(uint64_t seed);
/** Whether that is so, and by which seed. */
bool ic_solver_draws(uint64_t *seed);

void ic_solver_run_free(ic_solver_run *run);

/**
 * Add rows on `damage` and `not_finite`. Without `always`, rows are added only for values above 0.
 */
void ic_solver_run_report(ic_finding_writer *writer, const ic_solver_run *run, bool always);

/** Whether the log of a run has its end: a solver calls ic_log_final. */
bool ic_solver_run_has_end(const ic_log *log);

/** The error that is usually requested of an adaptive solver: larger at orders up to 3. */
double ic_solver_asked_error(const ic_solver *solver);

/** Whether a limit on work is reached because of the order: of an adaptive method of order 3 or less. */
bool ic_solver_may_need_more_steps(const ic_solver *solver);

/**
 * Options of a solver with fixed steps, `part` of the default step (s), or of an adaptive one,
 * `part` of the usual requested error.
 */
ic_options ic_solver_options(const ic_solver *solver, double default_step, double part);

/** solver_parts.c: The runs on which solvers are audited: the trials of all cases (ic_case.trials). */

/** The preset and the end of a trial. */
typedef struct ic_trial_path {
    /* "CASE/PRESET"; "" if there is no such trial */
    char text[128];

    /* of the trial; NULL: the preset's own end */
    const char *until;

    /* a setting; NULL: the trial is not repeated */
    const char *again;
} ic_trial_path;

/** One of the runs that are compared with an accurate solver. */
ic_trial_path ic_audited_preset(size_t i);

ic_trial_path ic_repeated_preset(void);
