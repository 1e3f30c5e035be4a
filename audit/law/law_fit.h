/* SPDX-License-Identifier: MIT */
/**
 * The force of a law, F(d, v) = f(d) + g(d, v) with f = F(d, 0), fitted by f = K d^n, and g = c v, g = C_1 d v or
 * g = a f v/v0; and registered laws with parameters that are found so.
 */
#ifndef IC_AUDIT_LAW_FIT_H
#define IC_AUDIT_LAW_FIT_H

#include "audit/law/law_probe.h"

typedef struct ic_law_fit {
    /* N/m^n, 1 */
    double K, n;

    /* N s/m, N s/m^2 */
    double c, C_1;

    /* 1 */
    double a;

    /* index of the parameter that is the restitution, or may be it; n_parameters: none */
    size_t variable;
} ic_law_fit;

/** Fits the force at the present parameters, in a contact that begins at 1 m/s. */
ic_law_fit ic_law_fit_force(ic_law_probe *probe);

enum { IC_LAW_PARAMETERS_MOST = 32 };

/** A registered law and values of its parameters. */
typedef struct ic_known_law {
    const ic_law *law;
    double par[IC_LAW_PARAMETERS_MOST];

    /* index of its restitution; n_parameters: none */
    size_t e;
} ic_known_law;

/**
 * Sets parameters by name: those of the probed law, but fitted values for K, k, n, c and C_1. false: the law has a
 * parameter whose value is unknown.
 */
bool ic_known_law_set(ic_known_law *known, const ic_law *law, const ic_law_fit *fit, const ic_law_probe *p);

/** Name of the mass of a registered law whose drag grows with the root of it: another name is found by its unit, kg. */
#define IC_LAW_MASS "m_eff"

/** Sets this mass to the one with which the drag is that of the fit, of a law without a mass. */
void ic_known_law_fit_mass(ic_known_law *known, const ic_law_fit *fit, const ic_law_probe *probe);

/** Force, N, in a contact that began at v0. */
double ic_known_law_force(const ic_known_law *known, double d, double v, double v0);

/**
 * Sets the restitution with which the damping at the depth d equals that of the fit, of a law without this parameter.
 */
void ic_known_law_set_equivalent_restitution(ic_known_law *known, const ic_law_fit *fit, double d);

#endif
