/* SPDX-License-Identifier: MIT */
/** The last firings of guards, and whether they accumulate: contract, clause 6. */
#ifndef IC_CORE_FIRINGS_H
#define IC_CORE_FIRINGS_H

#include "core/watch.h"

#include <stddef.h>

/**
 * Accumulation is examined from so many intervals on between firings of one guard, or of up to so
 * many guards in turn.
 */
enum { IC_ACCUMULATION_MIN = 3, IC_ACCUMULATION_GUARDS = 4 };

typedef struct ic_firings {
    /* in order of firing, the last one at `count` - 1 */
    struct {
        ic_watch watch;

        /* s */
        double t;
    } last[IC_ACCUMULATION_MIN * IC_ACCUMULATION_GUARDS + 1];

    size_t count;
} ic_firings;

/** Begin a new series. */
void ic_firings_forget(ic_firings *f);

/**
 * Add a firing at t, s. If the same guards have fired in turn and the last two rounds shrink, true, and
 * the lengths of the last rounds, s, the latest first.
 */
bool ic_firings_add(ic_firings *f, ic_watch watch, double t, double rounds[IC_ACCUMULATION_MIN]);

#endif
