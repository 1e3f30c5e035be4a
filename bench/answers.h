/* SPDX-License-Identifier: MIT */
/** The answers against which costs are told: certified where they can be, self-converged where nothing certifies. */
#ifndef IC_BENCH_ANSWERS_H
#define IC_BENCH_ANSWERS_H

#include "core/model.h"
#include "validation/truth.h"

typedef struct ic_answer {
    const char *origin; /* "certified", "self-converged", "dop853 at 1e-14", "none" */
    ic_truth truth;     /* events; where origin is "none", nothing */
} ic_answer;

/** The answer of a problem from its preset. Release it with ic_truth_clear(&answer->truth). */
void ic_answer_find(ic_answer *answer, const ic_setup *setup);

/**
 * Greatest error of an event's time, s, over the events that the answer has; INFINITY where the log's events are others or fewer.
 * NAN where there is nothing to compare with. `tie`: events closer than that may come in another order at the end of a run, s.
 */
double ic_answer_error(const ic_answer *answer, const ic_log *log, double tie);

/** Greatest radius of the answer's event times, s; NAN: it has none. */
double ic_answer_radius(const ic_answer *answer);

#endif
