/* SPDX-License-Identifier: MIT */
/**
 * What comes out of a free impact on a contact-force law, in closed form or by root finding in double precision: -m d'' = F from d = 0
 * with d' = v0 until the law's condition ends the contact.
 *
 *     F = f(d) (1 + a v/v0): core/restitution.h; the energy of f = K d^n is known, any other f comes with its own.
 *     F = k d + c v:         linear, under the conditions A to D; see cases/laws/kelvin_voigt.c.
 */
#ifndef IC_CORE_FREE_IMPACT_H
#define IC_CORE_FREE_IMPACT_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** NAN: not known. */
typedef struct ic_impact_outcome {
    double damping;          /* a; or zeta = c/(2 sqrt(k m)) */
    double restitution;      /* 0 where the contact never opens */
    double u_peak;           /* velocity over impact speed at the greatest force */
    double peak_indentation; /* m */
    double peak_force;       /* N */
} ic_impact_outcome;

/** Whether a law has a first integral or is linear, so that its impacts are known. */
bool ic_law_is_solved(const ic_law *law);

/**
 * An impact of the mass m, kg, at v0, m/s, on a law with the parameters par (n_parameters values). false: `error` says why: a
 * requirement of the law is not met, it gives energy, or numbers leave the range of doubles. All NAN for a law that is not solved.
 */
bool ic_law_impact(ic_impact_outcome *outcome, const ic_law *law, const double *par, double m, double v0,
                   ic_error *error);

#endif
