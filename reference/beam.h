/* SPDX-License-Identifier: MIT */
/**
 * Reference answers for a rotating beam that hits a stop, which has no closed form:
 * `self-converged`, not certified.
 *
 * The motion is followed by Taylor series (reference/beam_series.h) whose truncation is not
 * enclosed. Each problem is solved at least twice, with different precisions, orders, steps and
 * switches to sqrt(d) as the independent variable, until two answers have the same events and agree
 * to the requested digits. The result is the later answer, which is 24 bits finer, as balls whose
 * radius is twice the difference of the two: twice the error of the coarser answer, to the extent
 * that it has converged.
 *
 * Within a step, the order of events is proved for the step's polynomials (reference/roots.h): no
 * event is skipped between samples.
 */
#ifndef IC_REFERENCE_BEAM_H
#define IC_REFERENCE_BEAM_H

#include "impactcheck/impactcheck.h"
#include "reference/beam_series.h"

/**
 * An event. Events and modes ("free", "contact", "released") are named as in the case
 * rotating-beam.
 */
typedef struct ic_beam_event {
    const char *name, *from, *to;

    /* s */
    arb_t t;

    /* state after the event, in the order of reference/beam_series.h */
    arb_ptr x;
} ic_beam_event;

typedef struct ic_beam_answer {
    /* IC_OK: self-converged to the requested digits */
    ic_status status;

    /* explanation where status is not IC_OK */
    char message[160];

    /* worst agreement over all times and states, in decimal digits of their natural scales; 0:
       none */
    double digits;

    /* precision of the finer answer, bits */
    slong precision;

    slong n_states;
    ic_beam_event *events;
    size_t count, capacity;

    /* time reached: the end, where status is IC_OK */
    arb_t t;

    /* state at that time */
    arb_ptr x;

    const char *mode;

    /* flow calls and steps of the finer answer */
    size_t steps;
} ic_beam_answer;

/**
 * Solves a problem to `digits` digits: times relative to sqrt(rho l^4/EI), angles to 1, deflections
 * to l/100. IC_UNSUPPORTED: n is not 1, 3/2 or 2, or the beam comes to rest on a rigid stop.
 * IC_UNDECIDED: the digits were not reached, or the order of events was not decided. Release the
 * answer in any case.
 */
void ic_beam_reference(ic_beam_answer *answer, const ic_beam_problem *problem, long digits);
void ic_beam_answer_clear(ic_beam_answer *answer);

/** Free settings of a run. */
typedef struct ic_beam_method {
    /* Number of coefficients of each series. */
    slong bits, order;

    /* see ic_beam_series_init; the middle of its range is 1 */
    double onset;
} ic_beam_method;

/** One run: balls of radius 0, without any error bound. */
void ic_beam_run(ic_beam_answer *answer, const ic_beam_problem *problem, const ic_beam_method *method);

/** Speed at which the beam approaches the stop in a state, m/s. */
double ic_beam_speed(const ic_beam_problem *problem, arb_srcptr x);

/** Scale relative to which the digits of state i are counted. */
double ic_beam_scale(const ic_beam_problem *problem, slong i);

#endif
