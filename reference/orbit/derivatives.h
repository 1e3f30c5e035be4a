/* SPDX-License-Identifier: MIT */
/**
 * Certified derivatives of a run with respect to parameters and states at the start: those of the time of each event, of
 * the states on both sides of it, and of the state and the outputs at the end.
 *
 * They are tangents (tangent.h), which are followed together with the run, and enclosed as it is. Along a parameter p, an
 * event at t_e comes later by tau = dt_e/dp, and the state there is x(t_e), so that
 *
 *     d x(t_e)/dp = v + f tau,
 *
 * with the tangent v, a derivative at a fixed time, and the flow f on that side of the event. The end of a run is at a
 * fixed time, unless an event ends it: then it moves with that event, and nothing moves after it. Where no derivative
 * exists, or none is proved, the run ends there.
 */
#pragma once

#include "reference/flow/certify.h"
#include "reference/orbit/tangent.h"

/** Greatest number of directions at once. */
enum { IC_MAX_DIRECTIONS = 16 };

typedef struct ic_derivatives {
    /* its first n states are those of the case, then come the tangents */
    ic_certificate run;

    ic_tangent_problem tangents;

    /* numbers of states and of directions */
    slong n, directions;

    /* names of the directions, borrowed from the problem */
    const char *names[IC_MAX_DIRECTIONS];
} ic_derivatives;

/**
 * Certify a problem with its derivatives, as ic_certify_judged does. IC_UNSUPPORTED in run.status: run.reason states what
 * is not differentiated. Release with ic_derivatives_clear in any case; until then it stays in its place.
 */
void ic_derivatives_certify(ic_derivatives *d, const ic_problem *problem,
                            const ic_tangent_direction *directions, size_t n,
                            const ic_certify_options *options);
void ic_derivatives_clear(ic_derivatives *d);

/**
 * Enclose the derivatives of the time of an event (1 ball), of the states before it and of those after it (n balls each).
 * false: they are not known.
 */
bool ic_derivatives_of_event(arb_ptr at, const ic_derivatives *d, size_t event, slong direction);

/** Those of the state at the time reached, which is fixed unless an event has ended the run there: n balls, borrowed. */
arb_srcptr ic_derivatives_of_state(const ic_derivatives *d, slong direction);

/** Enclose that of an output at the time reached. */
bool ic_derivatives_of_output(arb_t value, const ic_derivatives *d, size_t output, slong direction);
