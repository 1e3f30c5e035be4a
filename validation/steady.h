/* SPDX-License-Identifier: MIT */
/**
 * Steady states of forced cases: periodic orbits at a multiple of the forcing's period, found with
 * a solver under test. They are the first guesses of certified orbits (reference/orbit/orbit.h).
 */
#pragma once

#include "impactcheck/impactcheck.h"

/** Largest multiple of the forcing's period that is tried. */
#define IC_STEADY_MOST_PERIODS 8

/**
 * Periods after which Newton's method starts: perturbations with a multiplier of 0.9 have shrunk to
 * 1e-14. Case III of the roller under C still has a third of its transient; Newton's method
 * converges from there.
 */
#define IC_STEADY_TRANSIENT 300

/**
 * Newton's method on the period map ends when a period repeats the state to this, divided by its
 * scales.
 */
#define IC_STEADY_RESIDUAL 1e-11

typedef struct ic_steady {
    /* smallest m with x(t + m T) = x(t) to rounding and stable; 0: none found */
    int multiple;

    /* T, the forcing's, s */
    double period;

    /* largest |x(m T) - x(0)|, divided by the states' scales */
    double residual;

    /* mode at the strobe time t = 0 modulo T */
    int mode;

    /* State at that time. */
    double x[IC_MAX_STATES];

    /* of the period map, from differences */
    double spectral_radius;

    /* part of the time in each of the first eight modes */
    double fraction[8];

    /* guard events in m T */
    size_t events;

    /* of these, into each of the first eight modes from another one */
    size_t entries[8];

    /* elements of extremes */
    size_t n_outputs;

    /* of the first 32 outputs over m T, one-sided limits at events included */
    ic_extreme extremes[32];
} ic_steady;

/**
 * Follow a forced problem for `transient` periods from its start, then refine by Newton's method on
 * the period map with Jacobian by differences. IC_OK with multiple = 0 if no stable orbit is found;
 * IC_UNSUPPORTED for autonomous cases; otherwise the solver's status.
 */
ic_status ic_steady_find(ic_steady *steady, const ic_problem *problem, const ic_solver *solver,
                         const ic_options *options, int transient);
