/* SPDX-License-Identifier: MIT */
/* Where a run of event_base.h is: for it, and for its methods. */
#ifndef IC_TESTS_PLUGINS_FAULTY_EVENT_PLACE_H
#define IC_TESTS_PLUGINS_FAULTY_EVENT_PLACE_H

#include "impactcheck/impactcheck.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { GUARDS = 16, EVENTS_KEPT = 4 };

typedef struct place {
    const ic_problem *problem;
    const ic_mode *mode;
    size_t n;
    int number; /* of the mode */
    double t, x[IC_MAX_STATES];
    int side[GUARDS];        /* of each guard */
    int awaited[GUARDS];     /* a side on which it must have been once before it may leave it; 0: none */
    double greatest[GUARDS]; /* of their values so far */
    const char *latest_name;
    double latest[EVENTS_KEPT]; /* s; events of that name, the newest first */
    int n_latest;
    int occurrence[GUARDS]; /* of each time event: the next */
    int sequence;
    double rtol, h;             /* s; h: of the latest step */
    double size[IC_MAX_STATES]; /* of the states: the greatest so far */
    size_t next_sample, n_samples;
} place;

#endif
