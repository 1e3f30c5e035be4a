/* SPDX-License-Identifier: MIT */
/** Impacts of the planar bar for studies, solved to lift-off by the trusted solver. */
#ifndef IC_VALIDATION_STUDIES_BAR_RUNS_H
#define IC_VALIDATION_STUDIES_BAR_RUNS_H

#include "core/expression.h"

#include <stdbool.h>
#include <stddef.h>

/** The end of an impact, and what happened on the way. */
typedef struct ic_bar_run {
    /* m/s; of the point of contact */
    double v[2];

    /* N s */
    double P[2];

    /* rad/s */
    double phi_dot;

    /* J; kinetic energy of the bar before, if it came without turning */
    double energy;

    /* J; energy taken from the normal motion */
    double D_N;

    /* J; from the tangential motion */
    double D_T;

    /* 1; duration; 0 if rigid */
    double tau;

    /* J; greatest energy of the tangential spring; NAN if rigid or not measured */
    double spring;

    /* changes between sticking and sliding */
    size_t changes;
} ic_bar_run;

/**
 * Solve "planar-bar/PRESET[NAME=VALUE, ...]". `spring`: measure the energy of the spring, which
 * takes longer. false: `error` says why.
 */
bool ic_bar_solve(ic_bar_run *run, const char *path, bool spring, ic_error *error);

/** The same for a path made printf style. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool ic_bar_solvef(ic_bar_run *run, bool spring, ic_error *error, const char *format, ...);

#endif
