/* SPDX-License-Identifier: MIT */
/* The state of a run of event_base.h, for it and for its methods. */
#pragma once

#include "impactcheck/impactcheck.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { GUARDS = 16, EVENTS_KEPT = 4 };

typedef struct place {
    const ic_problem *problem;
    const ic_mode *mode;
    size_t n;

    /* of the mode */
    int number;

    double t, x[IC_MAX_STATES];

    /* of each guard */
    int side[GUARDS];

    /* the side on which it must have been before it can fire; 0: none */
    int awaited[GUARDS];

    /* of their values so far */
    double greatest[GUARDS];

    const char *latest_name;

    /* s; events of that name, the newest first */
    double latest[EVENTS_KEPT];

    int n_latest;

    /* of each time event: the next */
    int occurrence[GUARDS];

    int sequence;

    /* tolerance relative to the sizes of states, 1 */
    double rtol;

    /* length of the latest step, s */
    double h;

    /* of the states: the greatest so far */
    double size[IC_MAX_STATES];

    size_t next_sample, n_samples;
} place;
