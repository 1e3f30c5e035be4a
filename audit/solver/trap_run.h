/* SPDX-License-Identifier: MIT */
/** A run of a solver on one preset of a trap, compared with the exact answer. */
#ifndef IC_AUDIT_TRAP_RUN_H
#define IC_AUDIT_TRAP_RUN_H

#include "audit/solver/check_log.h"
#include "audit/solver/traps.h"

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

/** the default step of solvers with fixed steps, s */
double ic_trap_usual_step(const ic_trap *trap, const ic_trap_run *run);

#endif
