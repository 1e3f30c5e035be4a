/* SPDX-License-Identifier: MIT */
/**
 * The outcome of a free impact on a contact-force law, in closed form or by root finding in double
 * precision: -m d'' = F from d = 0 with d' = v0 until the law's condition ends the contact.
 *
 *     F = f(d) (1 + a v/v0):  see core/restitution.h; the energy of f = K d^n is known, any other f brings its own.
 *     F = k d + c v:          linear, under the conditions A to D; see cases/laws/kelvin_voigt.c.
 */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** The outcome of an impact. NAN: not known. */
typedef struct ic_impact_outcome {
    /* Damping a, or zeta = c/(2 sqrt(k m)). */
    double damping;

    /* Coefficient of restitution; 0 if the contact never opens. */
    double restitution;

    /* Velocity at the greatest force, divided by the impact speed. */
    double u_peak;

    /* Greatest indentation, m. */
    double peak_indentation;

    /* Greatest force, N. */
    double peak_force;
} ic_impact_outcome;

/** Whether a law has a first integral or is linear, so that its outcome can be computed. */
bool ic_law_is_solved(const ic_law *law);

/**
 * Compute the impact of a mass m, kg, at the speed v0, m/s, on a law with parameters par
 * (n_parameters values). false: `error` gives the reason: a requirement of the law is violated, its
 * damping is negative, or a result exceeds the range of doubles. All results are NAN for a law
 * without a solution.
 */
bool ic_law_impact(ic_impact_outcome *outcome, const ic_law *law, const double *par, double m, double v0,
                   ic_error *error);
