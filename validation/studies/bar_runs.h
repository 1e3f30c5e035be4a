/* SPDX-License-Identifier: MIT */
/** Impacts of the planar bar for studies, solved to lift-off by the trusted solver. */
#pragma once

#include "core/expression.h"
#include "validation/subjects.h"

#include <stdbool.h>
#include <stddef.h>

/** The end of an impact and the events before it. */
typedef struct ic_bar_run {
    /* velocity of the point of contact, m/s */
    double v[2];

    /* N s */
    double P[2];

    /* rad/s */
    double phi_dot;

    /* Kinetic energy of the bar before the impact, J, if it did not rotate. */
    double energy;

    /* energy taken from the normal motion, J */
    double D_N;

    /* energy taken from the tangential motion, J */
    double D_T;

    /* duration, 1; 0 if rigid */
    double tau;

    /* greatest energy of the tangential spring, J; NAN if rigid or not measured */
    double spring;

    /* changes between sticking and sliding */
    size_t changes;
} ic_bar_run;

/**
 * Solve "planar-bar/PRESET[NAME=VALUE, ...]". `spring`: measure the energy of the spring, which
 * takes longer. false: `error` gives the reason.
 */
bool ic_bar_solve(ic_bar_run *run, const char *path, bool spring, ic_error *error);
