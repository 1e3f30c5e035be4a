/* SPDX-License-Identifier: MIT */
/**
 * Cycles of problems without forcing: periodic orbits to which a run comes. They are found with a solver,
 * at one event of each round, and are the first guesses of certified orbits (reference/orbit/orbit.h).
 */
#pragma once

#include "impactcheck/impactcheck.h"

/** Typical times for which a run is followed. */
#define IC_CYCLE_TRANSIENT 1000

typedef struct ic_cycle {
    /* number of times that the event happens in the cycle; 0: none was found */
    int multiple;

    /* name of the guard; borrowed from the problem */
    const char *event;

    /* time of the cycle, s */
    double period;

    /* number of events in it */
    int events;

    /* state and mode just after the event */
    double x[IC_MAX_STATES];
    int mode;
} ic_cycle;

/**
 * Follow a problem from its start, and close the cycle at its last event, or at the one `back` events before
 * it. IC_OK with multiple = 0: no cycle is found; otherwise the solver's status.
 */
ic_status ic_cycle_find(ic_cycle *cycle, const ic_problem *problem, const ic_solver *solver,
                        const ic_options *options, int back);
