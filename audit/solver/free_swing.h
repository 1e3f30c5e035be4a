/* SPDX-License-Identifier: MIT */
/**
 * A free swing, x'' = -x from (1, 0), without an event: the errors of a solver's steps alone.
 */
#ifndef IC_AUDIT_SOLVER_FREE_SWING_H
#define IC_AUDIT_SOLVER_FREE_SWING_H

#include "impactcheck/impactcheck.h"

typedef struct ic_free_swing {
    /* True if the run ended well. */
    bool solved;

    /* calls of the flow; 0: the solver works without it */
    double flows;

    /* of the reported end, 1; NAN: the run did not end well */
    double error;

    /*
     * at the ends of the last steps, which the solver's own calls show whatever it reports; INFINITY: they
     * show none
     */
    double own_error;
} ic_free_swing;

/** A run until `until`, s. */
ic_free_swing ic_free_swing_of(const ic_solver *solver, const ic_options *options, double until);

#endif
