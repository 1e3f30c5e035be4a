/* SPDX-License-Identifier: MIT */
/** The first crossing by which a guard fires, for methods that know it as a function along their stretch or step. */
#ifndef IC_SOLVERS_LINEAR_PHASE_CROSSING_H
#define IC_SOLVERS_LINEAR_PHASE_CROSSING_H

#include "core/event_loop.h"
#include "solvers/linear/exponential_polynomial.h"

/** A stretch of a phase, as a method knows it: time and state at s, in the unit of the method's searches. */
typedef struct ic_stretch {
    const void *self;
    double (*time)(const void *self, double s);
    void (*state)(const void *self, double s, double *x);
} ic_stretch;

/** Whether guard i is enabled at s. */
bool ic_stretch_enabled(const ic_stretch *stretch, const ic_phase *phase, size_t i, double s);

/** Where guard i fires first, up to the search's end: *at, INFINITY for nowhere. Touches are noted in the log. */
ic_status ic_stretch_first_crossing(double *at, const ic_stretch *stretch, const ic_phase *phase, size_t i,
                                    ic_crossing_search *search);

#endif
