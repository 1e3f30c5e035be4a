/* SPDX-License-Identifier: MIT */
/**
 * Traps: small hybrid systems that reproduce known faults of public packages in handling events,
 * with exact answers.
 *
 * A trap is a case with presets and the exact answer for each of them. It is one file
 * audit/traps/NAME.c, with one constant ic_trap_NAME at its end, and one line in
 * audit/traps/traps.def.
 */
#ifndef IC_AUDIT_SOLVER_TRAPS_H
#define IC_AUDIT_SOLVER_TRAPS_H

#include "audit/common/finding.h"
#include "impactcheck/impactcheck.h"

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

/** An expected event. */
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

/** A trap. */
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

/** The i-th event of a run. */
ic_trap_event ic_trap_event_at(const ic_trap_run *run, size_t i);

#endif
