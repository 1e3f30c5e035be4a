/* SPDX-License-Identifier: MIT */
/**
 * Return maps of a problem in ball arithmetic, with their derivatives: from the states at t = 0 to those
 * some periods of the forcing later, or from the states just after an event to those just after it has
 * happened some more times.
 */
#pragma once

#include "reference/flow/flow.h"

typedef struct ic_return_map {
    const ic_problem *problem;

    /* number of states */
    slong n;

    /* bits */
    slong precision;

    /* mode at the start, to which the map returns */
    int mode;

    /* name of the guard after whose events states are taken; NULL: periods of the forcing */
    const char *event;

    /* the period; where an event is meant, the time at which the search for it ends */
    arb_t period;

    /* the m states that vary continuously, in increasing order, since discrete ones keep their values */
    slong m, unknown[IC_MAX_STATES];

    /* the state that stands for a parameter (unfolded.h); -1: none */
    slong parameter;

    /* typical sizes of the states */
    double scale[IC_MAX_STATES];

    /* a flow that stands just after the event, and its problem; unused without an event */
    ic_problem to_event;
    ic_flow after;
    bool has_after;

    /* of the last evaluation: events, and the mode at its end */
    size_t events;
    int mode_at_end;

    /* why the last evaluation failed */
    char message[320];
} ic_return_map;

/**
 * Make the map near an approximation of a start in a mode: n states. `latest`: with an event, the time, s,
 * at which the search for it ends. On failure `message` states the reason; close it in any case.
 */
ic_status ic_return_map_open(ic_return_map *map, const ic_problem *problem, const double *x, int mode,
                             const char *event, double latest, slong precision);

/** The same for a problem with a state that stands for a parameter. */
ic_status ic_return_map_of_parameter(ic_return_map *map, const ic_problem *problem, const double *x, int mode,
                                     slong parameter, slong precision);
void ic_return_map_close(ic_return_map *map);

/**
 * Enclose the image of a set of n states and the time after `multiple` returns: n + 1 balls, the time last.
 * `derivative`, (n + 1) x n, encloses the derivative at all its points; NULL: not wanted. With it, the set
 * has a radius in each state that is not discrete; columns of discrete states mean nothing.
 */
ic_status ic_return(ic_return_map *map, arb_ptr image, arb_mat_struct *derivative, const ic_flow_set *start,
                    int multiple);

/** ic_return of a box of n states. */
ic_status ic_return_box(ic_return_map *map, arb_ptr image, arb_mat_struct *derivative, arb_srcptr box,
                        int multiple);
