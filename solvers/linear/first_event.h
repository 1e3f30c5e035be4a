/* SPDX-License-Identifier: MIT */
/** The first event in a part of a phase in which each guard is a polynomial of s in [0, 1]. */
#ifndef IC_SOLVERS_LINEAR_FIRST_EVENT_H
#define IC_SOLVERS_LINEAR_FIRST_EVENT_H

#include "core/event_loop.h"
#include "solvers/linear/polynomial_crossings.h"

/** A part of a phase, as a method knows it. */
typedef struct ic_part {
    void *self;

    /* s; length of the part */
    double length;

    /*
     * Guard i: degree, coefficients, their errors and `rough`. If the phase starts with the part,
     * at a zero of this order, the coefficients below it are zero. A method may give rough errors
     * where it is not asked to be careful.
     */
    void (*guard)(void *self, size_t i, int order, bool careful, ic_polynomial *p);

    double (*time)(const void *self, double s);
    void (*state)(const void *self, double s, double *x);
} ic_part;

/**
 * Clause 4: of guards that cross at one instant, the first in the table. Sets phase->fired,
 * phase->due and phase->arrival, the side of each guard at the end of the part, 0 if it has not
 * left its zero. *at: where the guard fires. *blurred: rounding hides the side of a guard at the end.
 * Touches are noted in the log. `p`: scratch.
 */
ic_status ic_part_first_event(const ic_part *part, ic_phase *phase, ic_polynomial *p, double *at,
                              bool *blurred);

#endif
