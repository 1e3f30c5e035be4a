/* SPDX-License-Identifier: MIT */
/** A simulation in progress: its smooth motion (meaning_motion.c) and what its elements do (meaning_elements.c). */
#pragma once

#include "tests/judge/meaning.h"

enum { MOST_MEANING = MEANING_STATES + 1 };

typedef struct meaning_run {
    const meaning_machine *m;

    /* states and time */
    int n;

    /* half of the segment over which rates are averaged, its direction, and the accuracy of a step */
    double width, direction[MOST_MEANING], tolerance;

    /* a stop that a body leaves more slowly is not left, m/s */
    double slow;

    /* rate of growth of states (of bodies: of velocities), for errors of solvers, 1/s */
    double growth;

    /*
     * Of a stop: 0 free, 1 pressed. Of friction: 1, -1 slips; 0 sticks; 2, -2 does not slip, since stops hold the body, and
     * has its largest force or the negative one.
     */
    int states[MEANING_ELEMENTS];

    int mode;

    /* of events: whether the guard has been on the side from which it fires */
    bool is_armed[MEANING_EVENTS];

    /* steps and events so far */
    int trials, events;

    /* the largest amount of a state so far */
    double largest;

    /* time of the last event, s */
    double last;
    const char *failure;
} meaning_run;

/** Solves n equations for right sides in the columns after theirs. false: a pivot is not above the least amount. */
bool meaning_solve(int n, int n_right, double a[][2 * MOST_MEANING], double least);

/** The state z = (x, t) after a step, and its error relative to the tolerance. */
double meaning_step(const meaning_run *r, double h, const double *z, double *next);

/** Forces of elements in their states; NAN: they are not determined. */
void meaning_forces(const meaning_run *r, const double *z, double *forces);

/** Adds what elements give to the rates f. */
void meaning_add_forces(const meaning_run *r, const double *z, double *f, double *forces);

/** By element: negative: it cannot keep its state. */
void meaning_guards(const meaning_run *r, const double *z, double *guards);

/** Impacts, and new states of elements. */
void meaning_decide(meaning_run *r, double *z);
