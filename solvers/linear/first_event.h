/* SPDX-License-Identifier: MIT */
/** The first event in a part of a phase in which each guard is a polynomial of s in [0, 1]. */
#pragma once

#include "core/event_loop.h"
#include "solvers/linear/polynomial_crossings.h"

/** A part of a phase, as a method knows it. */
typedef struct ic_part {
    void *self;

    /* length of the part, s */
    double length;

    /*
     * Gives guard i: degree, coefficients, their errors, and `rough`. If the phase starts with this
     * part, at a zero of the given order, the coefficients below that order are zero. A method may
     * give a rough polynomial, from which that zero is divided out, unless it is asked to be careful.
     */
    void (*guard)(void *self, size_t i, int order, bool careful, ic_polynomial *p);

    double (*time)(const void *self, double s);
    void (*state)(const void *self, double s, double *x);

    /* The zero of guard i that its polynomial has at s, by the guard itself; NULL: the polynomial is the guard. */
    double (*refine)(void *self, size_t i, double s);

    /* By guard: whether it cannot fire in this phase. NULL: none. */
    const bool *idle;
} ic_part;

/**
 * Find the first event. Of guards that cross at one instant, it is the first in the table (clause
 * 4). Sets phase->fired, phase->due and phase->arrival; the latter is the side of each guard at the
 * end of the part, 0 if it has not left its zero. *at: place at which the guard fires. *blurred:
 * true if rounding hides the side of a guard at the end. Touches are noted in the log. `p` is
 * workspace.
 */
ic_status ic_part_first_event(const ic_part *part, ic_phase *phase, ic_polynomial *p, double *at,
                              bool *blurred);
