/* SPDX-License-Identifier: MIT */
/**
 * The distance of two runs of a problem, and the distance that is accepted. On a sensitive motion
 * small errors grow, so that less accuracy can be required of a solver.
 */
#pragma once

#include "validation/results.h"

/** Distance of times relative to ic_event_slowness, and of states relative to their scales. */
typedef struct ic_apart {
    double time, state;
} ic_apart;

/**
 * Find the next event of a log from index *at on, and set *at to the index after it. The last
 * bounces before rest are skipped, because their number depends on the solver, and whether the last
 * one is an accumulation on rounding: all count as one accumulation. false: there are no more
 * events.
 */
bool ic_event_next(ic_event *event, size_t *at, const ic_log *log);

/**
 * Typical times by which rounding moves the end of bounces: four times the duration of an excursion
 * as high as the rounding error of the guard. 0 for other events. `at` is the index after the
 * event, from ic_event_next.
 */
double ic_event_blur(const ic_log *log, const ic_event *event, size_t at);

bool ic_event_same(const ic_event *a, const ic_event *b);

/** Change of the guard of an event when each state before it changes by its scale. */
double ic_guard_scale(const ic_guard *guard, const ic_event *event, const ic_problem *problem);

/**
 * Time, s, to which errors of an event's time are relative: the typical time, or that in which its guard changes by
 * its scale if that is longer. A pressure that creeps through a threshold crosses it late by its error divided by
 * its rate.
 */
double ic_event_slowness(const ic_problem *problem, const ic_event *event);

/** Distance of two events. The difference of the states is reduced by the flow between their times. */
ic_apart ic_events_apart(const ic_problem *problem, const ic_event *a, const ic_event *b);

/** Greatest difference of the final states; INFINITY if the modes differ. */
double ic_ends_apart(const ic_log *one, const ic_log *two);

/** The comparison that comes nearest to its tolerance or exceeds it most. */
typedef struct ic_worst {
    double error, radius, tolerance;
} ic_worst;

void ic_worst_meet(ic_worst *worst, double error, double radius, double tolerance);

bool ic_worst_agrees(const ic_worst *worst);

/**
 * Add a row with these numbers. `least` is the tolerance from the origin of the row, which holds if
 * errors do not grow.
 */
void ic_worst_judge(ic_results *results, ic_result row, const ic_worst *worst, double least);

/**
 * An accurate run, and one in which all parameters and the accuracy are changed a little. All zero:
 * errors do not grow.
 */
typedef struct ic_growth {
    const ic_problem *problem;
    ic_problem other;
    double *par;
    ic_log *run, *changed;
    ic_status status, changed_status;

    /* Time up to which both were followed, and their greatest distance until then. */
    size_t at, at_changed;
    ic_apart moved;
} ic_growth;

/** false: memory ran out. Release with ic_growth_clear in any case. */
bool ic_growth_measure(ic_growth *growth, const ic_problem *problem);
void ic_growth_clear(ic_growth *growth);

/**
 * Accepted distance of runs up to t, which must not decrease from call to call: `least`, or the
 * effect of a relative change of the parameters by `backward` if that is greater. false: this is
 * not small compared with the motion, and `why`, of `size` characters, states this.
 */
bool ic_growth_allows(ic_apart *allowed, ic_growth *growth, double t, ic_apart least, double backward,
                      char *why, size_t size);

/** A row for the part that `why` leaves undecided. */
void ic_growth_leaves(ic_results *results, ic_result row, size_t compared, const char *why);
