/* SPDX-License-Identifier: MIT */
/**
 * Reference answers for a rotating beam that hits a stop, for which there is no closed form: `self-converged`, not certified.
 *
 * The motion is followed by Taylor series (reference/beam_series.h) whose truncation is not enclosed. Each problem is solved
 * twice or more, with different numbers of bits, orders, steps and places where sqrt(d) becomes the independent variable, until two
 * answers have the same events and agree to the digits asked for. What is returned is the later answer, 24 bits finer, as balls
 * whose radius is twice the difference of the two: twice the error of the coarser one, as far as it has converged.
 *
 * Within a step, which events happen first is proved for the step's polynomials (reference/roots.h): none is skipped between samples.
 */
#ifndef IC_REFERENCE_BEAM_H
#define IC_REFERENCE_BEAM_H

#include "impactcheck/impactcheck.h"
#include "reference/beam_series.h"

/** An event; it and the modes ("free", "contact", "released") are named as in the case rotating-beam. */
typedef struct ic_beam_event {
    const char *name, *from, *to;
    arb_t t;   /* s */
    arb_ptr x; /* the state after it: reference/beam_series.h says in which order */
} ic_beam_event;

typedef struct ic_beam_answer {
    ic_status status;  /* IC_OK: self-converged to the digits asked for */
    char message[160]; /* for people, where status is not IC_OK */
    double
        digits; /* the worst agreement of all times and states, in decimal digits of their natural scales; 0: none */
    slong precision; /* bits of the finer answer */
    slong n_states;
    ic_beam_event *events;
    size_t count, capacity;
    arb_t t;   /* what is reached: the end, where status is IC_OK */
    arb_ptr x; /* state then */
    const char *mode;
    size_t steps; /* of the finer answer */
} ic_beam_answer;

/**
 * Solve a problem to so many digits, each time relative to sqrt(rho l^4/EI), angles to 1, deflections to l/100. IC_UNSUPPORTED: n is not
 * 1, 3/2 or 2, or the beam comes to rest on a rigid stop. IC_UNDECIDED: the digits were not reached, or it cannot be told which
 * event is first. Release the answer in any case.
 */
void ic_beam_reference(ic_beam_answer *answer, const ic_beam_problem *problem, long digits);
void ic_beam_answer_clear(ic_beam_answer *answer);

/** What is free in a run. */
typedef struct ic_beam_method {
    slong bits, order; /* series have `order` coefficients */
    double onset;      /* see ic_beam_series_init; 1 is in the middle */
} ic_beam_method;

/** One run: balls of radius 0, which say nothing of their errors. */
void ic_beam_run(ic_beam_answer *answer, const ic_beam_problem *problem, const ic_beam_method *method);

/** Speed with which the beam approaches the stop in a state, m/s. */
double ic_beam_speed(const ic_beam_problem *problem, arb_srcptr x);

/** The scale in which digits of state i are counted. */
double ic_beam_scale(const ic_beam_problem *problem, slong i);

#endif
