/* SPDX-License-Identifier: MIT */
/**
 * A set of events as the event loop sees it: its observers in the order in which they were made,
 * and one queue of time events, which includes those of the case.
 */
#pragma once

#include "impactcheck/impactcheck.h"

typedef enum ic_entry_kind {
    IC_ENTRY_OBSERVER,

    /* A time event that ic_schedule or ic_start_timer made. */
    IC_ENTRY_TIMED,

    /* A time event of the case. */
    IC_ENTRY_OF_CASE,
} ic_entry_kind;

/**
 * One event of a set. It is freed only by ic_event_set_sweep, so that it stays valid until the end
 * of the instant in which it is removed.
 */
typedef struct ic_entry {
    ic_entry_kind kind;
    ic_event_id id;

    /* Serial number, in the order in which events were made. */
    unsigned long long serial;

    /* Number of the instant in which the event was made; 0 before the run. */
    unsigned long long made;

    /* Number of the instant in which the event was last armed. */
    unsigned long long since;

    bool armed, removed;

    /* Index in the array of armed observers, or in the queue. */
    size_t place;

    /* Next event in the list of removed events. */
    struct ic_entry *next_removed;

    const char *name;

    /* NULL: no handler. A time event of the case has a jump instead. */
    ic_handler *handler;

    void *context;

    /* Observers only. */
    ic_observer observer;

    /* True if the handler has changed the state or the mode before. */
    bool changes;

    /* Its arming, saved while row numbers change. */
    int side, order;

    /* Time events only: the next time at which it is due, s. */
    double t;

    /* Time from which intervals are counted, s. */
    double origin;

    /* Interval, s; 0 for an event that is due once. */
    double interval;

    /* Number of occurrences so far. */
    unsigned long long n;

    /* Total number of occurrences; 0: no limit. */
    unsigned long long occurrences;

    const ic_time_event *of_case;
} ic_entry;

typedef struct ic_slot {
    /* NULL if the slot is free. */
    ic_entry *entry;

    unsigned generation;
} ic_slot;

struct ic_event_set {
    ic_slot *slots;
    size_t n_slots, slot_capacity;

    /* Indices of free slots; the array has slot_capacity elements. */
    size_t *free_slots;

    size_t n_free;

    /* Armed observers. A disarmed one leaves a NULL until the array is next requested. */
    ic_entry **observers;

    size_t n_observers, observer_capacity;

    /* True if `observers` is in the order of serial numbers. */
    bool ordered;

    /* Binary heap of time events; the next event is its first element. */
    ic_entry **queue;

    size_t n_queue, queue_capacity;

    /* List of removed events. */
    ic_entry *removed_events;

    unsigned long long serial;

    /* NULL before the run. */
    const ic_problem *problem;

    /* True after the run. */
    bool over;

    /* True while a run is in progress and no handler is being called. */
    bool closed;

    /* True if the method of the run can follow observers. */
    bool observes;

    /* s */
    double now;

    unsigned long long instant;

    /* Reason for which the last request was refused. */
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
 * Move a time event to its next occurrence, or remove it after the last one. Call this before its
 * handler.
 */
void ic_event_set_occurred(ic_event_set *set, ic_entry *entry);

/** Free the events that have been removed. The caller must have dropped all references to them. */
void ic_event_set_sweep(ic_event_set *set);
