/* SPDX-License-Identifier: MIT */
/**
 * The second method: Gragg, Bulirsch and Stoer's extrapolation of the midpoint rule in the time, in plain MPFR. Where
 * the flow has a power of a distance that is zero at an event, steps shrink geometrically towards it and grow
 * geometrically from it. Events are roots of guards along steps, found by Newton's method on the length of a step.
 *
 * Its error is estimated by a second run with other precision, order and tolerance.
 */
#pragma once

#include "tests/judge/number.h"

#include <stdbool.h>

enum { SECOND_MOST_STATES = 20, SECOND_MOST_GUARDS = 12, SECOND_MOST_EVENTS = 100 };

typedef struct second_guard {
    /* NULL: the case has no such event */
    const char *name;

    /* -1: it falls through 0, 1: rises, 0: either */
    int direction;

    /* the flow has a power of it on one side, which is not smooth where it is 0 */
    bool singular;
} second_guard;

struct draw;

/** A hybrid system, by functions of a draw, which has its parameters (draw.h). */
typedef struct second_machine {
    int n_states, n_guards;
    const second_guard *guards;
    /* names in the case; NULL: not compared */
    const char *const *modes;

    /* its modes are modes of the second method only: guards remain the same in another one */
    bool keeps_guards;

    /* lengths that steps of the time do not exceed, s; states' typical size */
    double longest_step, size;

    /* sets y and returns the mode at the start */
    int (*start)(const struct draw *d, num *y);

    /* sets rates; NULL: a state is constant */
    void (*rates)(const struct draw *d, int mode, num t, const num *y, num *rates);

    /* NULL: there is no such guard in this mode */
    num (*guard)(const struct draw *d, int mode, int guard, num t, const num *y);

    /* changes y, returns the next mode */
    int (*jump)(const struct draw *d, int mode, int guard, num t, num *y);

    /* whether a run ends in a mode; NULL: in none */
    bool (*is_over)(int mode);

    /* the end of the run */
    num (*end)(const struct draw *d);
} second_machine;

typedef struct second_event {
    /* -1: the end of the run */
    int guard;
    int mode_from, mode_to;
    mpfr_t t, before[SECOND_MOST_STATES], after[SECOND_MOST_STATES];
} second_event;

typedef struct second_answer {
    const second_machine *machine;
    mpfr_prec_t bits;
    int n_events;
    second_event events[SECOND_MOST_EVENTS];

    /* NULL: it reached the end, which is the last event */
    const char *failure;

    /* least distance of a guard from zero at a turn, without an event, by its rate's scale */
    double closest;

    /* numbers of steps and of evaluations of the rates */
    long steps, evaluations;
} second_answer;

typedef struct second_accuracy {
    mpfr_prec_t bits;

    /* columns of the extrapolation */
    int columns;

    /* of a step's error relative to the size of the states, and the distance of a singular guard that is small */
    double tolerance, floor;
} second_accuracy;

/** Follow the machine to its end; clear the answer in any case. */
void second_solve(second_answer *answer, const second_machine *machine, const struct draw *d,
                  const second_accuracy *accuracy);
void second_clear(second_answer *answer);
