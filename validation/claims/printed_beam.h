/* SPDX-License-Identifier: MIT */
/**
 * The equations of Yigit, Ulsoy & Scott (1990), as printed and as corrected, compared with the
 * mechanics.
 *
 * The truth is the mechanics from which coefficients are derived: energies and virtual work of a
 * beam that bends in one mode or two, by quadrature; Hertz's contact of two spheres; and
 * independence of the unit of length. A residual is the largest relative deviation over seeded
 * random beams. Each error of an equation has its own entry, in which the printed form has only
 * that error.
 */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_BEAM_H
#define IC_VALIDATION_CLAIMS_PRINTED_BEAM_H

#include "validation/claims/printed_random.h"

#include <stdbool.h>
#include <stddef.h>

enum { IC_PRINTED_BEAM_MODES = 3 };

/** A beam, its stop and its state: one random set. */
typedef struct ic_printed_beam {
    /* m, kg/m, m, N m^2, m/s^2 */
    double l, rho, a, EI, g;

    /* m, rad, N */
    double x_p, theta, force;

    /* m */
    double q[IC_PRINTED_BEAM_MODES];

    /* m, Pa, 1: two spheres that touch */
    double radius[2], E, nu;

    /* kg, m/s, 1: a free impact */
    double mass, speed, e;

    /* of a cantilever */
    double lambda[IC_PRINTED_BEAM_MODES];

    /* true restitution and gravity: other than e and g if a wrong truth is planted */
    double true_e, true_g;
} ic_printed_beam;

typedef struct ic_beam_equation {
    /* "eq18" */
    const char *name;

    const char *meaning;
    double (*residual)(const ic_printed_beam *beam, bool printed);

    /* the printed equation is right */
    bool stands;
} ic_beam_equation;

size_t ic_beam_equation_count(void);
const ic_beam_equation *ic_beam_equation_at(size_t i);
/** By name, or NULL. */
const ic_beam_equation *ic_beam_equation_find(const char *name);

/**
 * Largest residual over the random beams; infinite if the equation gives no number. IC_PLANTED:
 * with shapes that are not modes of a cantilever, another restitution and another weight, no
 * equation may hold.
 */
double ic_beam_residual(const ic_beam_equation *equation, ic_printed_form form);

#endif
