/* SPDX-License-Identifier: MIT */
/**
 * A set of events as the event loop sees it: its observers in the order in which they were made,
 * and one queue of time events, which includes those of the case.
 */
#ifndef IC_CORE_EVENT_SET_H
#define IC_CORE_EVENT_SET_H

#include "impactcheck/impactcheck.h"

typedef enum ic_entry_kind {
    IC_ENTRY_OBSERVER,

    /* a time event made by ic_schedule or ic_start_timer */
    IC_ENTRY_TIMED,

    /* a time event of the case */
    IC_ENTRY_OF_CASE,
} ic_entry_kind;

/**
 * One event of a set. It is freed only by ic_event_set_sweep, so that it stays valid until the end
 * of the instant in which it is removed.
 */
typedef struct ic_entry {
    ic_entry_kind kind;
    ic_event_id id;

    /* order in which events were made */
    unsigned long long serial;

    /* number of the instant in which it was made; 0 before the run */
    unsigned long long made;

    /* number of the instant in which it was last armed */
    unsigned long long since;

    bool armed, removed;

    /* its index in the array of armed observers, or in the queue */
    size_t place;

    /* next in the list of removed events */
    struct ic_entry *next_removed;

    const char *name;

    /* NULL: no handler; a time event of the case has a jump instead */
    ic_handler *handler;

    void *context;

    /* Observers only. */
    ic_observer observer;

    /* its handler has changed the state or the mode before */
    bool changes;

    /* its arming, saved while row numbers change */
    int side, order;

    /* Time events only: s; when it is next due. */
    double t;

    /* s; the time from which intervals are counted */
    double origin;

    /* s; 0 if it is due once */
    double interval;

    /* occurrences so far */
    unsigned long long n;

    /* how often it is due in all; 0 without limit */
    unsigned long long occurrences;

    const ic_time_event *of_case;
} ic_entry;

typedef struct ic_slot {
    /* NULL if the slot is free */
    ic_entry *entry;

    unsigned generation;
} ic_slot;

struct ic_event_set {
    ic_slot *slots;
    size_t n_slots, slot_capacity;

    /* indices of free slots; slot_capacity of them */
    size_t *free_slots;

    size_t n_free;

    /* Armed observers. A disarmed one leaves a NULL until the array is next requested. */
    ic_entry **observers;

    size_t n_observers, observer_capacity;

    /* `observers` is in the order of serial numbers */
    bool ordered;

    /* a binary heap; the next event comes first */
    ic_entry **queue;

    size_t n_queue, queue_capacity;

    /* list of removed events */
    ic_entry *removed_events;

    unsigned long long serial;

    /* NULL before the run */
    const ic_problem *problem;

    /* its run is over */
    bool over;

    /* a run is in progress, and no handler is being called */
    bool closed;

    /* the method of the run can follow observers */
    bool observes;

    /* s */
    double now;

    unsigned long long instant;

    /* why a request was last refused */
    char text[256];
};

/**
 * Attach the set to a run that starts now. The time events of the case join the queue. An error is
 * reported to the log.
 */
ic_status ic_event_set_begin(ic_event_set *set, const ic_problem *problem, bool observes, ic_log *log);
void ic_event_set_end(ic_event_set *set);

/** Free the contents of a set, but not the set. */
void ic_event_set_release(ic_event_set *set);

/** The *n armed observers, in order. Valid until the set changes. */
ic_entry *const *ic_event_set_observers(ic_event_set *set, size_t *n);

/** The next time event, or NULL. */
ic_entry *ic_event_set_next(const ic_event_set *set);

/**
 * Move a time event to its next occurrence, or remove it after the last. To be called before its
 * handler is.
 */
void ic_event_set_occurred(ic_event_set *set, ic_entry *entry);

/** Free the events that have been removed. The caller must have dropped all references to them. */
void ic_event_set_sweep(ic_event_set *set);

#endif
