/* SPDX-License-Identifier: MIT */
/**
 * What the judges of a case share: the problem that is looked at, states at which to look, and the
 * first contradiction.
 */
#ifndef IC_VALIDATION_CASE_JUDGE_H
#define IC_VALIDATION_CASE_JUDGE_H

#include "core/model.h"
#include "validation/results.h"
#include "validation/tolerance.h"

#include <float.h>

/**
 * Two ways to sum a few dozen terms in double precision, relative to the sum of their magnitudes.
 */
#define IC_SUMMATION (64 * DBL_EPSILON)

/** A state at a time. */
typedef struct ic_point {
    double t;
    double x[IC_MAX_STATES];
} ic_point;

typedef double ic_state_function(double t, const double *x, const double *par);

enum { IC_JUDGE_POINTS = 16 };

/** What has been met in some problem: guards at states where they fire, or modes on a run. */
typedef struct ic_met {
    const void **what;
    size_t count, of;
} ic_met;

/** One problem of a case, what is known of its states, and what was found. */
typedef struct ic_judge {
    const ic_problem *problem;
    const ic_preset *preset;

    /* of the states */
    double scale[IC_MAX_STATES];

    /* s */
    double time_scale;

    /* whether a state has a rate anywhere on the run */
    bool moves[IC_MAX_STATES];

    /* a short run, coarse, that shows states which the case comes to; NULL: none */
    const ic_log *seen;

    /* random, in the scale of the states */
    ic_point anywhere[IC_JUDGE_POINTS];

    unsigned seed;

    /* where the contradiction goes */
    ic_result *row;

    size_t comparisons;

    /* what could not be judged, or only reported; each once */
    char *notes;

    size_t notes_size;

    /* jumps that create energy; each once */
    char *gains;

    size_t gains_size;
    bool no_memory;

    /* over all problems of the case */
    ic_met *guards_met, *modes_met;
} ic_judge;

/** Where something is in a case. */
typedef struct ic_place {
    const ic_mode *mode;
    const ic_guard *guard;

    /* "output 'gap'", "start", ...; NULL: nothing else */
    const char *of;
} ic_place;

/** "variant newton, mode flight, guard 'floor'" */
void ic_place_write(char *text, size_t size, const ic_judge *judge, const ic_place *place);

/**
 * Put down a contradiction: `what` is what should hold, the rest in printf style says both sides.
 * `at`, which may be NULL, is where in the states. Always false, so that it can be returned.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
bool ic_contradicts(ic_judge *judge, const ic_place *place, const ic_point *at, const char *what,
                    const char *format, ...);

/**
 * Compare two numbers. false, and put down, where they differ by more than the tolerance or one is
 * NAN.
 */
bool ic_judge_equal(ic_judge *judge, const ic_place *place, const ic_point *at, const char *what,
                    const char *name_a, double a, const char *name_b, double b, double tolerance);

/** Put down that a guard or a mode has been met. */
void ic_meet(ic_met *met, const void *what);

/** Whether an error says that memory ran out: that is no contradiction. */
bool ic_memory_ran_out(const ic_error *error);

/** Add a remark to a list, unless it is there: "a; b; c". */
void ic_remark(char *list, size_t size, const char *text);

/* ---- states */

/** Random states, and those of the run. */
void ic_judge_look_around(ic_judge *judge);

/**
 * Point number k of a mode that the run has come to, samples first, then both sides of events.
 * false: there are not as many.
 */
bool ic_point_seen(const ic_judge *judge, int mode, size_t k, ic_point *point);

/** The state before firing number k of a guard on the run. false: it did not fire as often. */
bool ic_point_fired(const ic_judge *judge, int mode, const ic_guard *guard, size_t k, ic_point *point);

/**
 * A state that a mode may have: near one of the run where that has come to the mode, else random;
 * its invariants hold, and its guards are on the side from which they fire. With a guard, on that
 * guard's zero, where it is about to fire. false: none was found.
 */
bool ic_point_of_mode(ic_judge *judge, int mode, const ic_guard *on, ic_point *point);

/**
 * Bring a state to where a mode's invariants hold, and a guard is zero (which may be NULL). false:
 * it did not come there.
 */
bool ic_point_project(const ic_judge *judge, const ic_mode *mode, const ic_guard *on, ic_point *point);

/* ---- derivatives */

/**
 * A function's change when each state changes by its scale, and when all follow a flow for a second
 * (sums of magnitudes).
 */
typedef struct ic_reach {
    double of_scales;
    double of_flow;
} ic_reach;

ic_reach ic_reach_of(const ic_judge *judge, const ic_mode *mode, ic_state_function *function,
                     const ic_point *at);

/** d function/dt along a mode's flow. */
typedef struct ic_slope {
    double value;

    /* how far it may be off; large where the function is not smooth */
    double error;

    /* 1/s; besides, over the size of terms that cancel in the function */
    double rounding;
} ic_slope;

ic_slope ic_slope_along(const ic_judge *judge, const ic_mode *mode, ic_state_function *function,
                        const ic_point *at);

/* ---- the judges, in the order in which they speak: false for a contradiction */

bool ic_judge_quantities(ic_judge *judge);
bool ic_judge_names(ic_judge *judge);
bool ic_judge_texts(ic_judge *judge);
bool ic_judge_rates(ic_judge *judge);
bool ic_judge_invariants(ic_judge *judge);
bool ic_judge_jumps(ic_judge *judge);
bool ic_judge_landings(ic_judge *judge);
bool ic_judge_energy(ic_judge *judge);

/** Whether invariants hold just after a jump into a mode; `of` names the jump, "guard 'floor'". */
bool ic_judge_arrival(ic_judge *judge, const ic_place *from, const ic_branch *branch, int mode_before,
                      const ic_point *after);

#endif
