/* SPDX-License-Identifier: MIT */
/** Eigenvalues of a matrix of balls: those of each matrix in it. */
#ifndef IC_REFERENCE_MULTIPLIERS_H
#define IC_REFERENCE_MULTIPLIERS_H

#include <acb_mat.h>
#include <arb_mat.h>
#include <stdbool.h>

/** Encloses all eigenvalues, n balls, clusters as balls that are repeated. false: they were not separated. */
bool ic_multipliers(acb_ptr multipliers, const arb_mat_t matrix, slong precision);

/** Encloses the largest modulus of n numbers. */
void ic_largest_modulus(arb_t modulus, acb_srcptr numbers, slong n, slong precision);

/** Where the eigenvalues of a real matrix lie. */
typedef enum ic_multiplier_places {
    IC_MULTIPLIERS_UNDECIDED,

    /* all inside the unit circle */
    IC_MULTIPLIERS_INSIDE,

    /* one is real and below -1, the others are inside */
    IC_MULTIPLIERS_ONE_BELOW
} ic_multiplier_places;

/**
 * Decides it for all real matrices in a matrix of balls. `critical` encloses the eigenvalue that is closest
 * to -1, if that is decided: finite, or not.
 */
ic_multiplier_places ic_place_multipliers(arb_t critical, const arb_mat_t matrix, slong precision);

/** Encloses the largest modulus of the eigenvalues, if they were not separated: by norms of powers. */
void ic_spectral_radius(arb_t radius, const arb_mat_t matrix, slong precision);

#endif
