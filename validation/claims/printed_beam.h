/* SPDX-License-Identifier: MIT */
/**
 * The equations of Yigit, Ulsoy & Scott (1990), as printed and as corrected, against what they are
 * about.
 *
 * The truth is what the coefficients are derived from: energies and virtual work of a beam that
 * bends in one mode or two, by quadrature; Hertz's contact of two spheres; and that an equation may
 * not depend on the unit of length. A residual is the largest relative deviation over seeded random
 * beams. Of an equation with several errors each has its own entry: as printed only that one is
 * left in.
 */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_BEAM_H
#define IC_VALIDATION_CLAIMS_PRINTED_BEAM_H

#include <stdbool.h>
#include <stddef.h>

enum { IC_PRINTED_BEAM_MODES = 3 };

/** A beam, its stop and where it is: one random set. */
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

    /* that come out and act: others than e and g where a wrong truth is planted */
    double true_e, true_g;
} ic_printed_beam;

typedef struct ic_beam_equation {
    /* "eq18" */
    const char *name;

    const char *meaning;
    double (*residual)(const ic_printed_beam *beam, bool printed);

    /* printed and corrected are the same */
    bool stands;
} ic_beam_equation;

size_t ic_beam_equation_count(void);
const ic_beam_equation *ic_beam_equation_at(size_t i);
/** NULL: there is none of this name. */
const ic_beam_equation *ic_beam_equation_find(const char *name);

/** Largest residual over the random beams; infinite where the equation gives no number. */
double ic_beam_residual(const ic_beam_equation *equation, bool printed);

/**
 * The same as printed, with shapes that are no modes of a cantilever, another restitution and
 * another weight: no equation may stand.
 */
double ic_beam_planted(const ic_beam_equation *equation);

#endif
