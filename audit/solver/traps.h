/* SPDX-License-Identifier: MIT */
/**
 * Traps: small hybrid systems that reproduce known faults of public packages in handling events,
 * with exact answers.
 *
 * A trap is a case with presets, and for each of them what comes out. It is one file
 * audit/traps/NAME.c, with one constant ic_trap_NAME at its foot, and one line in
 * audit/traps/traps.def.
 */
#ifndef IC_AUDIT_SOLVER_TRAPS_H
#define IC_AUDIT_SOLVER_TRAPS_H

#include "audit/common/finding.h"
#include "impactcheck/impactcheck.h"

/** Most states of a trap. */
enum { IC_TRAP_STATES = 3 };

/** What may go wrong first on a trap. */
typedef enum ic_trap_symptom {
    IC_SYMPTOM_NONE,

    /* the run stops, or goes on where it must stop */
    IC_SYMPTOM_STATUS,

    /* it would go on for ever */
    IC_SYMPTOM_WORK,

    /* an event once more, at once */
    IC_SYMPTOM_AGAIN,

    /* an event is not there */
    IC_SYMPTOM_MISSING,

    /* an event that there is not */
    IC_SYMPTOM_EXTRA,

    /* an event at another time */
    IC_SYMPTOM_TIME,

    /* the events are right, and the end is not */
    IC_SYMPTOM_END,

    IC_SYMPTOM_COUNT
} ic_trap_symptom;

/** An event that happens. */
typedef struct ic_trap_event {
    ic_event_kind kind;
    const char *name;

    /* s */
    double t;

    int sequence;
} ic_trap_event;

/** What comes out of one preset of the trap's case. */
typedef struct ic_trap_run {
    const char *preset;
    const ic_trap_event *events;

    /* the i-th, in place of a table: where there are many */
    ic_trap_event (*event)(size_t i);

    size_t n_events;

    /* state at the end */
    double end[IC_TRAP_STATES];

    /* the last event falls on the end: rounding decides whether it is reached; if it is not,
       `end_before` is the state */
    double end_before[IC_TRAP_STATES];

    /* s; where it ends, if `status` is not IC_OK */
    double t_stop;

    /* s; where it ends with `or_status`; NAN: anywhere */
    double or_t;

    /*
     * How far events and the end are off where states are off by a part e of their scales: by dt e
     * and, in scales, dx e. 0: the time scale, and 1.
     */

    /* s */
    double dt;

    double dx;

    /* s; shortest time in which the motion changes; 0: the time scale */
    double fastest;

    /* s; of solvers with fixed steps, where none is asked for; 0: their own choice */
    double step;

    /* with which the run ends; IC_OK: at its end */
    ic_status status;

    /* as good; IC_OK: none */
    ic_status or_status;

    /* others may not step farther than `step` either */
    bool step_caps;

    bool last_on_end;

    /* how many firings are logged before the limit is the solver's affair */
    bool accumulations_only;

    /* the first two are at one instant, and commute: either may be logged first */
    bool any_order;
} ic_trap_run;

/** A trap. */
typedef struct ic_trap {
    /* "three-crossings" */
    const char *name;

    /* one line: what goes wrong */
    const char *title;

    /* public issues, repository#number */
    const char *cites;

    const ic_case *system;
    const ic_trap_run *runs;
    size_t n_runs;

    /* of the event contract that it needs: IC_CLAUSE(7) | ... */
    unsigned clauses;

    /* the first state is a height that stays >= 0 */
    bool floor;

    /* what a symptom comes from here; IC_NO_MISTAKE: what it mostly comes from */
    ic_mistake_id mistakes[IC_SYMPTOM_COUNT];
} ic_trap;

extern const ic_trap *const ic_traps[];
extern const size_t ic_trap_count;

/** The i-th event of a run. */
ic_trap_event ic_trap_event_at(const ic_trap_run *run, size_t i);

#endif
