/* SPDX-License-Identifier: MIT */
/** The last firings of guards, and the test for accumulation: contract, clause 6. */
#ifndef IC_CORE_FIRINGS_H
#define IC_CORE_FIRINGS_H

#include "core/watch.h"

#include <stddef.h>

/**
 * Number of intervals from which on accumulation is examined, and greatest number of guards that
 * may fire in turn.
 */
enum { IC_ACCUMULATION_MIN = 3, IC_ACCUMULATION_GUARDS = 4 };

/* Number of the last firings that the test reads, and room for more, so that they are seldom moved. */
enum {
    IC_FIRINGS_SEEN = IC_ACCUMULATION_MIN * IC_ACCUMULATION_GUARDS + 1,
    IC_FIRINGS_ROOM = 8 * IC_FIRINGS_SEEN
};

typedef struct ic_firings {
    /* Guards in order of firing; the last one has the index count - 1. */
    struct {
        ic_watch watch;

        /* Times of the firings, s. */
        double t;
    } last[IC_FIRINGS_ROOM];

    size_t count;
} ic_firings;

/** Begin a new series. */
void ic_firings_forget(ic_firings *f);

/**
 * Add a firing at the time t, s. Returns true if the same guards have fired in turn and the last
 * two rounds were shorter each time. `rounds` then receives the lengths of the last rounds, s, the
 * latest first.
 */
bool ic_firings_add(ic_firings *f, ic_watch watch, double t, double rounds[IC_ACCUMULATION_MIN]);

#endif
