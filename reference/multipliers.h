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

/** Encloses the largest modulus of the eigenvalues, if they were not separated: by norms of powers. */
void ic_spectral_radius(arb_t radius, const arb_mat_t matrix, slong precision);

#endif
