/* SPDX-License-Identifier: MIT */
/**
 * The data that the judges of a case share: the problem, states at which it is examined, and the
 * first contradiction.
 */
#pragma once

#include "core/model.h"
#include "validation/results.h"
#include "validation/tolerance.h"

#include <float.h>

/**
 * Difference of two ways to sum a few dozen terms in double precision, relative to the sum of their
 * magnitudes.
 */
#define IC_SUMMATION (64 * DBL_EPSILON)

/** A state at a time. */
typedef struct ic_point {
    double t;
    double x[IC_MAX_STATES];
} ic_point;

typedef double ic_state_function(double t, const double *x, const double *par);

enum { IC_JUDGE_POINTS = 16 };

/** Guards examined at states where they fire, or modes visited by a run. */
typedef struct ic_met {
    const void **what;
    size_t count, of;
} ic_met;

/** One problem of a case, with its states and the findings. */
typedef struct ic_judge {
    const ic_problem *problem;
    const ic_preset *preset;

    /* typical size of each state, in its unit */
    double scale[IC_MAX_STATES];

    /* the typical time, s */
    double time_scale;

    /* By state: whether it has a nonzero rate anywhere on the run. */
    bool moves[IC_MAX_STATES];

    /* A short, coarse run that provides states that the case reaches; NULL: none. */
    const ic_log *seen;

    /* Random states of the size of the scales. */
    ic_point anywhere[IC_JUDGE_POINTS];

    unsigned seed;

    /* Receives the contradiction. */
    ic_result *row;

    size_t comparisons;

    /* remarks on parts that could not be judged; each once */
    char *notes;

    size_t notes_size;

    /* jumps that create energy; each is listed once */
    char *gains;

    size_t gains_size;
    bool no_memory;

    /* collected over all problems of the case */
    ic_met *guards_met, *modes_met;
} ic_judge;

/** A place within a case. */
typedef struct ic_place {
    const ic_mode *mode;
    const ic_guard *guard;

    /* "output 'gap'", "start", ...; NULL: mode and guard are sufficient. */
    const char *of;
} ic_place;

/** "variant newton, mode flight, guard 'floor'" */
void ic_place_write(char *text, size_t size, const ic_judge *judge, const ic_place *place);

/**
 * Record a contradiction: `what` is the statement that should hold; the printf-style rest shows
 * both sides. `at`, which may be NULL, is the state. Always false, so that it can be returned.
 */
__attribute__((format(printf, 5, 6))) bool ic_contradicts(ic_judge *judge, const ic_place *place,
                                                          const ic_point *at, const char *what,
                                                          const char *format, ...);

/**
 * Compare two numbers. If they differ by more than the tolerance or one is NAN, record a
 * contradiction and return false.
 */
bool ic_judge_equal(ic_judge *judge, const ic_place *place, const ic_point *at, const char *what,
                    const char *name_a, double a, const char *name_b, double b, double tolerance);

/** Record that a guard or a mode has been met. */
void ic_meet(ic_met *met, const void *what);

/** Whether an error reports that memory ran out, which is not a contradiction. */
bool ic_memory_ran_out(const ic_error *error);

/** Add a remark to a list, unless it is there: "a; b; c". */
void ic_remark(char *list, size_t size, const char *text);

/* ---- states */

/** Choose the random states, and find out which states move. */
void ic_judge_look_around(ic_judge *judge);

/**
 * Point k of the run in a mode: samples first, then both sides of events. false: the run has fewer
 * points.
 */
bool ic_point_seen(const ic_judge *judge, int mode, size_t k, ic_point *point);

/** The state before firing k of a guard on the run. false: the guard fired fewer times. */
bool ic_point_fired(const ic_judge *judge, int mode, const ic_guard *guard, size_t k, ic_point *point);

/**
 * A state that a mode may have: near a state of the run if the run visits the mode, otherwise
 * random. Invariants hold, and guards are on the side from which they fire. If `on` is given, that
 * guard is zero and about to fire. If `due` is given, the time is one of that event's: a jump at other times
 * need not keep invariants. false: no state was found.
 */
bool ic_point_of_mode(ic_judge *judge, int mode, const ic_guard *on, const ic_time_event *due, ic_point *point);

/**
 * Move a state to where a mode's invariants hold and the guard `on` (may be NULL) is zero. false:
 * the iteration did not converge.
 */
bool ic_point_project(const ic_judge *judge, const ic_mode *mode, const ic_guard *on, ic_point *point);

/* ---- derivatives */

/**
 * The change of a function when each state changes by its scale, and when all states follow a flow
 * for one second (sums of magnitudes).
 */
typedef struct ic_reach {
    double of_scales;
    double of_flow;
} ic_reach;

ic_reach ic_reach_of(const ic_judge *judge, const ic_mode *mode, ic_state_function *function,
                     const ic_point *at);

/** Changes of a function by each state, per scale of the state; NAN at the edge of its domain. */
void ic_changes_by_scale(double *by_scale, const ic_judge *judge, ic_state_function *function,
                         const ic_point *at);

/** d function/dt along a mode's flow. */
typedef struct ic_slope {
    double value;

    /* error bound; large where the function is not smooth */
    double error;

    /* rounding error, relative to the terms that cancel in the function, 1/s */
    double rounding;
} ic_slope;

ic_slope ic_slope_along(const ic_judge *judge, const ic_mode *mode, ic_state_function *function,
                        const ic_point *at);

/* ---- the judges; false: a contradiction was recorded */

bool ic_judge_quantities(ic_judge *judge);
bool ic_judge_names(ic_judge *judge);
bool ic_judge_texts(ic_judge *judge);
bool ic_judge_equations(ic_judge *judge);
bool ic_judge_rates(ic_judge *judge);
bool ic_judge_invariants(ic_judge *judge);
bool ic_judge_jumps(ic_judge *judge);
bool ic_judge_landings(ic_judge *judge);
bool ic_judge_energy(ic_judge *judge);

/**
 * Whether invariants hold just after a jump into a mode; `of` names the jump, "guard 'floor'".
 * `before` is the state before it; NULL: a start.
 */
bool ic_judge_arrival(ic_judge *judge, const ic_place *from, const ic_branch *branch, int mode_before,
                      const ic_point *before, const ic_point *after);
