/* SPDX-License-Identifier: MIT */
/**
 * How far apart two runs of a problem are, and how far apart they may be: on a sensitive motion small errors grow, and
 * so does what can be asked of a solver.
 */
#ifndef IC_VALIDATION_CHECKS_GROWTH_H
#define IC_VALIDATION_CHECKS_GROWTH_H

#include "validation/results.h"

/** Of times relative to the typical time, of states relative to their scales. */
typedef struct ic_apart {
    double time, state;
} ic_apart;

/**
 * The next event of a log, from index *at on, and the index after it. The last bounces before an accumulation are passed
 * over: how many of them are reported depends on the solver. false: there are no more.
 */
bool ic_event_next(ic_event *event, size_t *at, const ic_log *log);
bool ic_event_same(const ic_event *a, const ic_event *b);

/**
 * Distance of two events; of states, less what the flow does between their times. Where a guard takes longer than the typical time to change by its scale, times are relative to
 * that: a pressure that creeps through a threshold crosses it late by its error over its rate.
 */
ic_apart ic_events_apart(const ic_problem *problem, const ic_event *a, const ic_event *b);

/** Greatest difference of the final states; INFINITY if the modes differ. */
double ic_ends_apart(const ic_log *one, const ic_log *two);

/** Of several comparisons, the one that comes nearest to its tolerance, or exceeds it most. */
typedef struct ic_worst {
    double error, radius, tolerance;
} ic_worst;

void ic_worst_meet(ic_worst *worst, double error, double radius, double tolerance);

bool ic_worst_agrees(const ic_worst *worst);

/** Adds a row with these numbers; `least`: the tolerance by the origin of the row, where errors do not grow. */
void ic_worst_judge(ic_results *results, ic_result row, const ic_worst *worst, double least);

/** An accurate run, and one with all parameters and the accuracy changed a little. All zero: nothing grows. */
typedef struct ic_growth {
    const ic_problem *problem;
    ic_problem other;
    double *par;
    ic_log *run, *changed;
    ic_status status, changed_status;

    /* how far both were followed, and how far apart they were at most until then */
    size_t at, at_changed;
    ic_apart moved;
} ic_growth;

/** false: no memory. Release with ic_growth_clear in any case. */
bool ic_growth_measure(ic_growth *growth, const ic_problem *problem);
void ic_growth_clear(ic_growth *growth);

/**
 * What runs may be apart up to t, which does not decrease from call to call: `least`, or what a relative change of the
 * parameters by `backward` makes, if that is more. false: that is not small compared with the motion, and `why`, of
 * `size` characters, says so.
 */
bool ic_growth_allows(ic_apart *allowed, ic_growth *growth, double t, ic_apart least, double backward,
                      char *why, size_t size);

/** A row for what `why` leaves undecided. */
void ic_growth_leaves(ic_results *results, ic_result row, size_t compared, const char *why);

#endif
