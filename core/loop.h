/* SPDX-License-Identifier: MIT */
/**
 * The parts of the event loop: what it remembers between events, and the functions by which its files call each other.
 * core/loop.c calls core/loop_instant.c at an event, which calls core/loop_jumps.c and core/loop_limits.c, and
 * core/loop_explain.c at the end; all use core/loop_arming.c.
 */
#pragma once

#include "core/event_loop.h"
#include "core/firings.h"

/**
 * A quantity that a mode holds at zero drifts because of the errors of the solver. A guard with
 * IC_ONSET_NEAR may be beyond zero by this fraction of its scale, and still fires if it moves on in
 * its direction.
 */
#define IC_LOOP_DRIFT 1e-5

/** A guard that has fired at this instant and has stayed at zero since. */
typedef struct ic_fired_guard {
    ic_watch watch;

    /* Its value when it fired. */
    double value;

    /* Its rate then. */
    double rate;

    /* The side to which it passed. */
    int to;

    /* True if a jump of this instant has turned it back, or stopped it. */
    bool turned;
} ic_fired_guard;

/** A guard that is due at this instant and has not fired yet, with its value when it became due. */
typedef struct ic_pending_guard {
    ic_watch watch;
    double value;
} ic_pending_guard;

struct ic_loop {
    ic_phase phase;
    const ic_method *method;
    ic_options options;

    /* Memory of the arrays of n numbers below and in `phase`. */
    double *buffer;

    double *x_post;

    /* Number of guards for which the arrays of `phase`, `pending` and `began` have room. */
    size_t capacity;

    /*
     * By guard: how far the last jump has left it on its firing side, where it waits until it has returned, or less if
     * it has come nearer since; 0: it has not.
     */
    double *began;

    /* The caller's set of events, or own_set. */
    ic_event_set *set, own_set;

    /* Most guards of a mode. By mode and by guard, so many in each mode: see ic_curvature. */
    size_t most_guards;
    unsigned char *curvature;

    /* Guards that have fired, in order of firing. */
    ic_fired_guard *fired;

    size_t n_fired, fired_capacity;

    /* Guards that are due, in order of firing. */
    ic_pending_guard *pending;

    /* True if the state or the mode has changed since guards were last armed. */
    bool changed;

    /* Time of the last arming, s. */
    double armed;

    /* Branch of the last jump since then; NULL: no jump. */
    const ic_branch *branch;

    /* True if a chain of impacts at this instant has been found to have a limit. */
    bool collapsed;

    /* True if a handler has ended the run. */
    bool stopped;

    /* True if the run is at its end: no phase begins any more. */
    bool over;

    /* Name of the last event. */
    const char *last_name;

    /* Its time, s. */
    double last_t;

    /* Its number at this instant, from 0 on. */
    int sequence;

    /* Length of the chain of jumps that it ends. */
    int chain;

    /* Number of events so far. */
    double events;

    /* Firings of guards that changed the state or the mode. */
    ic_firings firings;
};

/** Whether a guard may not be a polynomial along an interpolant: its text is read when that is first asked. */
enum ic_curvature { IC_CURVATURE_UNKNOWN, IC_CURVATURE_NONE, IC_CURVATURE_SOME };

/* ---- core/loop_arming.c: which side guards come from, and which are due (contract, clauses 2 and 3) */

/** Arm all guards: after the events of an instant, or between events of one instant. */
ic_status ic_loop_arm(ic_loop *l);

/** The first guard that fires before any time passes, or -1. */
int ic_loop_first_due(const ic_loop *l);

/** Save the arming of observers with the observers, because their row numbers may change. */
void ic_loop_save_observers(ic_loop *l);

/** Forget the guards that have fired at this instant and are no longer at zero. */
void ic_loop_forget_off_zero(ic_loop *l);

/** Note the stops that do not move on any more to the side to which they have fired. */
void ic_loop_note_turned(const ic_loop *l);

ic_onset ic_loop_onset(ic_watch watch);

/** Whether a guard is that of a stop, which has a limit of its impacts. */
bool ic_loop_has_limit(ic_watch watch);

/** Among the guards with the same value function, the one that fired last at this instant, or NULL. */
const ic_fired_guard *ic_loop_last_fired(const ic_loop *l, ic_watch watch);

/** Whether a guard that had the value `before` is still at zero, within one instant. */
bool ic_loop_is_still_at_zero(const ic_phase *phase, ic_watch watch, double before);

/** Whether a value of a guard exceeds its rounding error. */
bool ic_loop_is_off_zero(const ic_loop *l, ic_watch watch, double g);

/** Whether a guard with the value g is on its firing side by more than rounding and drift (IC_LOOP_DRIFT). */
bool ic_loop_is_clearly_beyond(const ic_loop *l, ic_watch watch, double g);

/* ---- core/loop_jumps.c: what events do */

/** The consequence of an event: a jump of the case, or a handler of the event set. */
typedef struct ic_action {
    ic_event_kind kind;
    const char *name;
    const ic_jump *jump;

    /* Called if jump is NULL; may be NULL. */
    ic_handler *handler;

    void *context;
    ic_event_id id;

    /* Time left until the limit of an accumulation, s. */
    double rest;

    /* True if the event was due before the first jump of this instant (clause 15). */
    bool at_once;
} ic_action;

/** Apply a jump to x_post; *mode_to is the mode to which it leads. */
ic_status ic_loop_jump(ic_loop *l, const ic_jump *jump, const char *name, int *mode_to);

/** Continue in a mode, with the state x_post. */
void ic_loop_enter(ic_loop *l, int mode);

/**
 * Perform the action of an event. Guards are armed later, when everything that is due at this
 * instant has fired. *changed: whether it has changed more than the log and the set.
 */
ic_status ic_loop_perform(ic_loop *l, const ic_action *a, bool *changed);

/* ---- core/loop_limits.c: accumulation (clause 6) */

/** Whether firings form a series that has converged, up to its remainder *rest, s. */
bool ic_loop_accumulates(ic_loop *l, ic_watch watch, double rate, double *rest);

/** Whether the impacts of a stop at this instant are infinitely many. */
bool ic_loop_collapses(ic_loop *l);

/* ---- core/loop_instant.c: all that is due at one instant (clauses 4 and 9) */

/** Fire the time events if `timed`, then phase->fired (unless -1) and the other guards that are due; arm all. */
ic_status ic_loop_fire_all(ic_loop *l, bool timed);

bool ic_loop_is_over(const ic_loop *l);

/* ---- core/loop_explain.c: why a run stopped */

/**
 * IC_ROOT_LOST, with a message, if the guard of a stop or of a kink has passed zero unseen; at the beginning of a phase,
 * IC_INVALID if a jump has put a body behind a stop.
 */
ic_status ic_loop_find_passed(const ic_loop *l, bool begins);

/** Say which function is not finite. */
void ic_loop_explain(const ic_loop *l);
