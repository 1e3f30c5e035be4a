/* SPDX-License-Identifier: MIT */
/** The objects that solvers watch for events: guards of modes, and observers. */
#pragma once

#include "core/event_set.h"

/**
 * An object whose zero is an event: a guard of the mode, or an observer. The other pointer is NULL.
 */
typedef struct ic_watch {
    const ic_guard *guard;
    ic_entry *observer;
} ic_watch;

/**
 * Whether two guards are the same guard: modes may share a table of guards, or each have a guard of
 * the same name and value.
 */
bool ic_same_guard(const ic_guard *a, const ic_guard *b);
bool ic_same_watch(ic_watch a, ic_watch b);

/** Whether both have the same value function, so that they are zero at the same time. */
bool ic_same_function(ic_watch a, ic_watch b);
