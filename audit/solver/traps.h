/* SPDX-License-Identifier: MIT */
/**
 * Traps: small hybrid systems that reproduce known faults of public packages in handling events, with exact answers.
 *
 * A trap is a case with presets, and for each of them what comes out. It is one file audit/traps/NAME.c, with one constant
 * ic_trap_NAME at its foot, and one line in audit/traps/traps.def.
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
    IC_SYMPTOM_STATUS,  /* the run stops, or goes on where it must stop */
    IC_SYMPTOM_WORK,    /* it would go on for ever */
    IC_SYMPTOM_AGAIN,   /* an event once more, at once */
    IC_SYMPTOM_MISSING, /* an event is not there */
    IC_SYMPTOM_EXTRA,   /* an event that there is not */
    IC_SYMPTOM_TIME,    /* an event at another time */
    IC_SYMPTOM_END,     /* the events are right, and the end is not */
    IC_SYMPTOM_COUNT
} ic_trap_symptom;

/** An event that happens. */
typedef struct ic_trap_event {
    ic_event_kind kind;
    const char *name;
    double t; /* s */
    int sequence;
} ic_trap_event;

/** What comes out of one preset of the trap's case. */
typedef struct ic_trap_run {
    const char *preset;
    const ic_trap_event *events;
    ic_trap_event (*event)(size_t i); /* the i-th, in place of a table: where there are many */
    size_t n_events;
    double end[IC_TRAP_STATES]; /* state at the end */
    /* the last event falls on the end: rounding decides whether it is reached; if it is not, `end_before` is the state */
    double end_before[IC_TRAP_STATES];
    double t_stop; /* s; where it ends, if `status` is not IC_OK */
    double or_t;   /* s; where it ends with `or_status`; NAN: anywhere */
    /*
     * How far events and the end are off where states are off by a part e of their scales: by dt e and, in scales, dx e.
     * 0: the time scale, and 1.
     */
    double dt; /* s */
    double dx;
    double fastest;      /* s; shortest time in which the motion changes; 0: the time scale */
    double step;         /* s; of solvers with fixed steps, where none is asked for; 0: their own choice */
    ic_status status;    /* with which the run ends; IC_OK: at its end */
    ic_status or_status; /* as good; IC_OK: none */
    bool step_caps;      /* others may not step farther than `step` either */
    bool last_on_end;
    bool accumulations_only; /* how many firings are logged before the limit is the solver's affair */
    bool any_order;          /* the first two are at one instant, and commute: either may be logged first */
} ic_trap_run;

/** A trap. */
typedef struct ic_trap {
    const char *name;  /* "three-crossings" */
    const char *title; /* one line: what goes wrong */
    const char *cites; /* public issues, repository#number */
    const ic_case *system;
    const ic_trap_run *runs;
    size_t n_runs;
    unsigned clauses; /* of the event contract that it needs: IC_CLAUSE(7) | ... */
    bool floor;       /* the first state is a height that stays >= 0 */
    ic_mistake_id mistakes
        [IC_SYMPTOM_COUNT]; /* what a symptom comes from here; IC_NO_MISTAKE: what it mostly comes from */
} ic_trap;

extern const ic_trap *const ic_traps[];
extern const size_t ic_trap_count;

/** The i-th event of a run. */
ic_trap_event ic_trap_event_at(const ic_trap_run *run, size_t i);

#endif
