/* SPDX-License-Identifier: MIT */
/** A solver on one preset of a trap, beside what comes out. */
#ifndef IC_AUDIT_TRAP_RUN_H
#define IC_AUDIT_TRAP_RUN_H

#include "audit/solver/check_log.h"
#include "audit/solver/traps.h"

/** How it went. */
typedef struct ic_trap_outcome {
    /* the solver solves problems of this kind, and has been run; else only `text` is there */
    bool asked;

    /* that it returned */
    ic_status status;

    /* what went wrong first */
    ic_trap_symptom symptom;

    /* of the event that is at another time */
    ic_event_kind kind;

    /* events */
    size_t missing, extra;

    /* s; the worst of the events that are there */
    double time_error, time_tolerance;

    /* in scales */
    double end_error, end_tolerance;

    /* s; event before the first at a wrong time, that one, and when it happens; NAN: none */
    double t_last, t_wrong, t_right;

    /* s; of the run */
    double t_end;

    /* s; NAN: not the solver's measure */
    double step;

    /* at the end */
    double first_state;

    /* what its log contradicts, where it ended with IC_OK */
    ic_log_reading log;

    /* all is right but the time that is told for the end */
    bool end_misplaced;

    /* bytes that it has written of what it was lent */
    size_t damage;

    /* what went wrong first */
    char text[128];
} ic_trap_outcome;

/**
 * Solve and compare. Zero in a field of the options asks for what the trap and the audit prescribe.
 */
ic_trap_outcome ic_trap_run_solver(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                                   const ic_options *options);

/** s; the step of solvers with fixed ones, where none is asked for. */
double ic_trap_usual_step(const ic_trap *trap, const ic_trap_run *run);

#endif
