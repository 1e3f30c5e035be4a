/* SPDX-License-Identifier: MIT */
/**
 * What the event loop knows of a set of events: its observers in the order in which they were made, and one queue of times, in which those
 * of the case stand too.
 */
#ifndef IC_CORE_EVENT_SET_H
#define IC_CORE_EVENT_SET_H

#include "impactcheck/impactcheck.h"

/** Row of an observer that is in no table. */
#define IC_NO_ROW ((size_t)-1)

typedef enum ic_entry_kind {
    IC_ENTRY_OBSERVER,
    IC_ENTRY_TIMED,   /* made at run time */
    IC_ENTRY_OF_CASE, /* a time event of the case */
} ic_entry_kind;

/** One event of a set. It stays where it is until it is swept, so that an instant can be seen to its end. */
typedef struct ic_entry {
    ic_entry_kind kind;
    ic_event_id id;
    unsigned long long serial; /* order of making */
    unsigned long long made;   /* number of the instant in which it was made; 0: before the run */
    unsigned long long since;  /* number of the instant in which it was last armed */
    bool armed, removed;
    size_t place;              /* in the array of armed observers, or in the queue */
    struct ic_entry *next_out; /* removed, and not swept yet */
    const char *name;
    ic_handler *handler; /* NULL: nothing, or the jump of the case */
    void *context;
    /* an observer */
    ic_observer observer;
    size_t row;      /* among the observers that are watched; IC_NO_ROW: it is not */
    bool changes;    /* its handler has changed the state or the mode before */
    int side, order; /* how it was armed, while the table is made anew */
    /* at given times */
    double t;              /* s; when it is next due */
    double origin;         /* s; NAN: the start of the run */
    double interval;       /* s; 0: due once */
    unsigned long long n;  /* occurrences so far */
    unsigned long long to; /* how many there are to be; 0: without end */
    const ic_time_event *of_case;
} ic_entry;

typedef struct ic_slot {
    ic_entry *entry; /* NULL: free */
    unsigned generation;
} ic_slot;

struct ic_event_set {
    ic_slot *slots;
    size_t n_slots, slot_room;
    size_t *free_slots; /* slot_room of them */
    size_t n_free;
    ic_entry **observers; /* armed ones */
    size_t n_observers, observer_room;
    bool ordered;     /* by serial */
    ic_entry **queue; /* a heap: the next one first */
    size_t n_queue, queue_room;
    ic_entry *out; /* removed, to be swept */
    unsigned long long serial;
    /* the run */
    const ic_problem *problem; /* NULL: there is none yet */
    bool over;                 /* it has served a run */
    bool closed;               /* a run is on, and no handler is being called */
    bool observes;             /* the run's method can follow observers */
    double now;                /* s */
    unsigned long long instant;
    char text[256]; /* why something was refused */
};

/** Bring the set into a run that starts now; the case's time events come into the queue. A message goes to the log. */
ic_status ic_event_set_begin(ic_event_set *set, const ic_problem *problem, bool observes, ic_log *log);
void ic_event_set_end(ic_event_set *set);

/** Free what is in a set, not the set. */
void ic_event_set_release(ic_event_set *set);

/** Armed observers, in order; *n of them. Valid until the set changes. */
ic_entry *const *ic_event_set_observers(ic_event_set *set, size_t *n);

/** What is next due at a given time, or NULL. */
ic_entry *ic_event_set_next(const ic_event_set *set);

/** One occurrence is over: on to the next, or out. To be called before the handler is. */
void ic_event_set_occurred(ic_event_set *set, ic_entry *entry);

/** Free what has been removed. No pointer to it is used again. */
void ic_event_set_sweep(ic_event_set *set);

#endif
