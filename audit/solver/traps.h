/* SPDX-License-Identifier: MIT */
/**
 * Traps: small hybrid systems that reproduce known faults of public packages in handling events,
 * with exact answers.
 *
 * A trap is a case with presets and the exact answer for each of them. It is one file
 * audit/traps/NAME.c, with one constant ic_trap_NAME at its end, and one line in
 * audit/traps/traps.def.
 */
#pragma once

#include "audit/solver/solver.h"
#include "core/expression.h"

#include <string.h>

/** Most states of a trap. */
enum { IC_TRAP_STATES = 3 };

/** The first failure on a trap. */
typedef enum ic_trap_symptom {
    IC_SYMPTOM_NONE,

    /* The run stops, or continues although it must stop. */
    IC_SYMPTOM_STATUS,

    /* The run does not end. */
    IC_SYMPTOM_WORK,

    /* An event is repeated at once. */
    IC_SYMPTOM_AGAIN,

    /* an event is missing */
    IC_SYMPTOM_MISSING,

    /* an additional event */
    IC_SYMPTOM_EXTRA,

    /* An event has a wrong time. */
    IC_SYMPTOM_TIME,

    /* The events are right, but the end is wrong. */
    IC_SYMPTOM_END,

    IC_SYMPTOM_COUNT
} ic_trap_symptom;

typedef struct ic_trap_event {
    ic_event_kind kind;
    const char *name;

    /* s */
    double t;

    int sequence;
} ic_trap_event;

/** The exact answer for one preset of the trap's case. */
typedef struct ic_trap_run {
    const char *preset;
    const ic_trap_event *events;

    /* Function that gives the i-th event, instead of a table with many events. */
    ic_trap_event (*event)(size_t i);

    size_t n_events;

    /* state at the end */
    double end[IC_TRAP_STATES];

    /*
     * State at the end if `last_on_end`, and if rounding prevents the last event from being
     * reached.
     */
    double end_before[IC_TRAP_STATES];

    /* the end of the run if `status` is not IC_OK, s */
    double t_stop;

    /* the end of the run with `or_status`, s; NAN: anywhere */
    double or_t;

    /* * Sensitivities: if states have an error of e scales, events have an error of dt e and the
       end one * of dx e scales. 0: the time scale, and 1. */

    /* s */
    double dt;

    double dx;

    /* the shortest time in which the motion changes, s; 0: the time scale */
    double fastest;

    /* the least order of methods whose steps make no error, whatever their length: 1 for constant rates, 2 for a
       fall; 0: none. Mistakes in the choice of steps cannot spoil such a motion. */
    int exact_from;

    /* default step of solvers with fixed steps, s; 0: their own choice */
    double step;

    /* the status of the run; IC_OK: it reaches its end */
    ic_status status;

    /* Another status that is accepted; IC_OK: none. */
    ic_status or_status;

    /* `step` also limits the steps of other solvers */
    bool step_caps;

    /* the last event falls on the end */
    bool last_on_end;

    /*
     * True if only accumulations are compared, because the number of firings before the limit is
     * not prescribed.
     */
    bool accumulations_only;

    /*
     * True if the first two events are simultaneous and commute, so that either may be logged
     * first.
     */
    bool any_order;
} ic_trap_run;

typedef struct ic_trap {
    /* one line: the failure */
    const char *title;

    /* public issues, repository#number */
    const char *cites;

    /* The case. Its name, "three-crossings", is that of the trap. */
    const ic_case *system;

    const ic_trap_run *runs;
    size_t n_runs;

    /* clauses of the event contract that it needs: IC_CLAUSE(7) | ... */
    unsigned clauses;

    /* the first state is a height that stays >= 0 */
    bool floor;

    /* Cause of each symptom on this trap; IC_NO_MISTAKE: its usual cause. */
    ic_mistake_id mistakes[IC_SYMPTOM_COUNT];
} ic_trap;

extern const ic_trap *const ic_traps[];
extern const size_t ic_trap_count;

ic_trap_event ic_trap_event_at(const ic_trap_run *run, size_t i);

/**
 * Macros for the functions and tables of a trap. In the functions, x is the state, before the event
 * if there is one.
 */

/** Expressions, one for each state. */
#define IC_TEXTS(...) ((const char *const[]){__VA_ARGS__})

/** static double name_(t, x, par): a guard, a rate. */
#define IC_TRAP_VALUE(name_, value_)                                                                           \
    static double name_(double t, const double *x, const double *par)                                          \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        return (value_);                                                                                       \
    }

/** A flow: the rates of all states. */
#define IC_TRAP_FLOW(name_, ...)                                                                               \
    static void name_(double *dxdt, double t, const double *x, const double *par)                              \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        const double rates[] = {__VA_ARGS__};                                                                  \
        memcpy(dxdt, rates, sizeof rates);                                                                     \
    }

/** A jump with one branch: all states after it. */
#define IC_TRAP_JUMP(name_, ...)                                                                               \
    static int name_(double *x_post, double t, const double *x, const double *par)                             \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        const double after[] = {__VA_ARGS__};                                                                  \
        memcpy(x_post, after, sizeof after);                                                                   \
        return 0;                                                                                              \
    }

/** The same to a mode, with its branch NAME_branches: all states after it as texts, in parentheses, and as values. */
#define IC_TRAP_LEAP(name_, mode_, texts_, ...)                                                                \
    IC_TRAP_JUMP(name_, __VA_ARGS__)                                                                           \
    static const ic_branch name_##_branches[] = {{.mode = (mode_), .state = IC_TEXTS texts_}};

/** Fields of a guard, from its name to its linear view (a text or NULL). */
#define IC_TRAP_GUARD(name_, unit_, meaning_, direction_, value_, rate_, linear_)                              \
    .name = (name_), .unit = (unit_), .meaning = (meaning_), .direction = (direction_), .value = (value_),     \
    .rate = (rate_), .linear = (linear_)

/** A guard: those fields, and its jump with its branches. */
#define IC_TRAP_EVENT_TO(name_, unit_, meaning_, direction_, value_, rate_, linear_, jump_, branches_)         \
    {                                                                                                          \
        IC_TRAP_GUARD(name_, unit_, meaning_, direction_, value_, rate_, linear_),                             \
            .jump = IC_LINEAR_JUMP(jump_, branches_)                                                           \
    }

/** The same with the branches of an IC_TRAP_LEAP. */
#define IC_TRAP_EVENT(name_, unit_, meaning_, direction_, value_, rate_, linear_, jump_)                       \
    IC_TRAP_EVENT_TO(name_, unit_, meaning_, direction_, value_, rate_, linear_, jump_, jump_##_branches)

/** Fields of a mode with an array of guards. */
#define IC_TRAP_MODE(name_, meaning_, flow_, linear_, guards_)                                                 \
    .name = (name_), .meaning = (meaning_), .flow = (flow_), .linear = (linear_), .guards = (guards_),         \
    .n_guards = IC_COUNT(guards_)

/** Fields of a variant with an array of modes, and with the start of an IC_TRAP_LEAP. */
#define IC_TRAP_VARIANT(name_, meaning_, modes_, start_)                                                       \
    .name = (name_), .meaning = (meaning_), .modes = (modes_), .n_modes = IC_COUNT(modes_),                    \
    .start = IC_LINEAR_JUMP(start_, start_##_branches)

/** The modes and variants of a case with one of each: `guards` in a mode, from `start` on. */
#define IC_TRAP_ONE_MODE(variant_, variant_meaning_, mode_, mode_meaning_, flow_, linear_)                     \
    static const ic_mode modes[] = {{IC_TRAP_MODE(mode_, mode_meaning_, flow_, linear_, guards)}};             \
    static const ic_variant variants[] = {{IC_TRAP_VARIANT(variant_, variant_meaning_, modes, start)}};

/** Fields of a case: its name, and the issue in which the fault was reported. */
#define IC_TRAP_CASE(name_, title_, source_)                                                                   \
    IC_ABI(ic_case), .name = (name_), .title = (title_), .source = (source_)

/** Fields of a case: tables of states, variants and presets. */
#define IC_TRAP_TABLES(states_, variants_, presets_)                                                           \
    .states = (states_), .n_states = IC_COUNT(states_), .variants = (variants_),                               \
    .n_variants = IC_COUNT(variants_), .presets = (presets_), .n_presets = IC_COUNT(presets_)

/** The case of most traps: without parameters, and with a time scale of 1 s. */
#define IC_TRAP_SYSTEM(name_, title_, source_)                                                                 \
    static const ic_case system = {IC_TRAP_CASE(name_, title_, source_),                                       \
                                   IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

#define IC_TRAP_PARAMETERS(parameters_) .parameters = (parameters_), .n_parameters = IC_COUNT(parameters_)

/** The trap of a file, from its title and the issues that it cites, with `system` and `runs`; then further fields. */
#define IC_TRAP_OF(name_, title_, cites_, ...)                                                                 \
    const ic_trap ic_trap_##name_ = {.title = (title_),                                                        \
                                     .cites = (cites_),                                                        \
                                     .system = &system,                                                        \
                                     .runs = runs,                                                             \
                                     .n_runs = IC_COUNT(runs),                                                 \
                                     __VA_ARGS__}

/** static ic_trap_event name_(k): event k of a run in which a guard fires at the times time_. */
#define IC_TRAP_SERIES(name_, guard_, time_)                                                                   \
    static ic_trap_event name_(size_t k)                                                                       \
    {                                                                                                          \
        return (ic_trap_event){IC_EVENT_GUARD, (guard_), (time_), 0};                                          \
    }

/** Fields of a run: a table of its events. */
#define IC_TRAP_EVENTS(table_) .events = (table_), .n_events = IC_COUNT(table_)

/**
 * trap_ball.c: A ball on a rigid floor, the case of many traps:
 *
 *     flight:  x' = v,  v' = -g,  from (h, v0) on, until x falls to 0
 *     impact:  v+ = -e v-;  to rest without a rebound, and after infinitely many impacts.
 */

enum { IC_TRAP_BALL_H, IC_TRAP_BALL_V0, IC_TRAP_BALL_G, IC_TRAP_BALL_E, IC_TRAP_BALL_PARAMETERS };
enum { IC_TRAP_BALL_X, IC_TRAP_BALL_V, IC_TRAP_BALL_STATES };
enum { IC_TRAP_BALL_FLIGHT, IC_TRAP_BALL_REST };

#define IC_TRAP_BALL_FLOOR "floor"

/** Fields of a case of the ball, and that case. */
#define IC_TRAP_BALL_TABLES(variants_, presets_)                                                               \
    IC_TRAP_PARAMETERS(ic_trap_ball_parameters), IC_TRAP_TABLES(ic_trap_ball_states, variants_, presets_),     \
        .time_scale = "sqrt(2*h/g) + sqrt(v0^2)/g"
#define IC_TRAP_BALL_SYSTEM(name_, title_, source_, variants_)                                                 \
    static const ic_case system = {IC_TRAP_CASE(name_, title_, source_),                                       \
                                   IC_TRAP_BALL_TABLES(variants_, presets)};

extern const ic_parameter ic_trap_ball_parameters[IC_TRAP_BALL_PARAMETERS];
extern const ic_state ic_trap_ball_states[IC_TRAP_BALL_STATES];
extern const ic_variant ic_trap_ball_variants[1];

/* Parts for balls with other guards. */
void ic_trap_ball_flight(double *dxdt, double t, const double *x, const double *par);
extern const char *const ic_trap_ball_flight_linear[IC_TRAP_BALL_STATES];
int ic_trap_ball_start(double *x_post, double t, const double *x, const double *par);
extern const ic_branch ic_trap_ball_start_branches[1];
/** x = 0, v = -e v, whatever the speed. */
int ic_trap_ball_reverse(double *x_post, double t, const double *x, const double *par);
extern const char *const ic_trap_ball_reversed[IC_TRAP_BALL_STATES];

/** The modes NAME_modes of a ball whose guard is the function NAME, with the rate NAME_rate. */
#define IC_TRAP_BALL_MODES(name_, unit_, linear_, branches_)                                                   \
    static const ic_guard name_##_guards[] = {                                                                 \
        IC_TRAP_EVENT_TO(IC_TRAP_BALL_FLOOR, unit_, "the ball meets the floor", -1, name_, name_##_rate,       \
                         linear_, ic_trap_ball_reverse, branches_)};                                           \
    static const ic_mode name_##_modes[] = {{IC_TRAP_MODE("flight", "free fall", ic_trap_ball_flight,          \
                                                          ic_trap_ball_flight_linear, name_##_guards)}};

/** Two impacts, with h = 50, g = 9.8 and e = 1/2, until 15/2, and fields of a run with them. */
extern const ic_trap_event ic_trap_ball_impacts[2];
#define IC_TRAP_BALL_IMPACTS                                                                                   \
    .exact_from = 2, IC_TRAP_EVENTS(ic_trap_ball_impacts),                                                     \
    .end = {2.64605968432531577666727923776, -3.06385870875662456311102943496}, .dt = 10, .dx = 10

/** trap_run.c: A run of a solver on one preset of a trap, compared with the exact answer. */

/** The result of the comparison. */
typedef struct ic_trap_outcome {
    /* True if the solver supports the problem and has run; otherwise only `text` is set. */
    bool asked;

    /* the status that the solver returned */
    ic_status status;

    /* the first failure */
    ic_trap_symptom symptom;

    /* kind of the event at a wrong time */
    ic_event_kind kind;

    /* events */
    size_t missing, extra;

    /* of the first failure, if it is an additional event: how fast its guard passes zero */
    double extra_rate;

    /* relative rounding of the states by fixed steps, and true if it has turned a touch into that event */
    double rounding;
    bool rounded;

    /* True if an additional event is a crossing in the wrong direction. */
    bool reversed;

    /* True if the first failure is a guard that fires, but for rounding, at the time of an event that is due then
       and has to come first: errors of steps and of location are no reason. */
    bool before_clock;

    /* True if the first event of the run, clear of its end, is missing, and no event is found instead: what goes
       wrong at events, or where they are placed, is no reason. */
    bool first_lost;

    /* events and ends with a time or state that is not finite */
    size_t not_finite;

    /* True if the steps failed before the first event was near: nothing is known of events. */
    bool stopped_before;

    /* the greatest error of the events that were found, s */
    double time_error, time_tolerance;

    /* Greatest error of states, relative to their scales. */
    double end_error, end_tolerance;

    /*
     * times of the event before the first one at a wrong time, of that event, and its right time,
     * s; NAN: no event has a wrong time
     */
    double t_last, t_wrong, t_right;

    /* step of the run, s */
    double t_end;

    /* step, s; NAN: the solver has no fixed steps */
    double step;

    /* at the end */
    double first_state;

    /* contradictions in its log if it ended with IC_OK */
    ic_log_reading log;

    /* True if times or end are off by a few tolerances only, or a touch became a dip, and smaller steps or
       tolerances make that smaller. */
    bool falls;

    /* True if everything except the reported time of the end is right. */
    bool end_misplaced;

    /* number of bytes that it has changed in its inputs */
    size_t damage;

    /* the first failure */
    char text[128];
} ic_trap_outcome;

/**
 * Solves and compares. Zero in a field of the options selects the value of the trap or the audit.
 */
ic_trap_outcome ic_trap_run_solver(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                                   const ic_options *options);

/** Whether times or the end are wrong, and all errors are at most this many tolerances. */
bool ic_trap_is_inaccurate(const ic_trap_outcome *o, double tolerances);

/** the default step of solvers with fixed steps, s */
double ic_trap_usual_step(const ic_trap *trap, const ic_trap_run *run);

/** check_traps.c: The audit of a solver on traps. */

/**
 * Adds a finding for each preset of each trap whose name, or name/preset, matches `glob` (NULL:
 * all). Zero in a field of the options selects the audit's own value. Failures that a solver
 * declares (`clauses_not_kept`, `steps_over_events`) are reported, but the verdict is open.
 */
void ic_audit_traps(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                    const char *glob);

/** How runs on traps are distributed. */
typedef struct ic_traps_work {
    /* processes at once, at least 1 */
    size_t jobs;

    /* called after each run, in order, with its processor time, s; may be NULL */
    void (*watch)(const char *run, double processor, void *context);
    void *context;
} ic_traps_work;

/**
 * The same findings by several processes. false: a process could not be started or was ended, for example by a
 * crash of the solver; `error` gives the reason.
 */
bool ic_audit_traps_distributed(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                                const char *glob, const ic_traps_work *work, ic_error *error);

/** The finding for one preset of a trap, and the run from which it follows. */
ic_finding ic_audit_trap_run(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                             const ic_options *options, ic_trap_outcome *result);

/** Whether a solver declares that it does not keep the clauses of the trap. */
bool ic_trap_is_excused(const ic_trap *trap, const ic_solver *solver);
