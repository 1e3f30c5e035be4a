/* SPDX-License-Identifier: MIT */
/** Eigenvalues of a matrix of balls: those of each matrix in it. */
#pragma once

#include "reference/ball.h"

#include <acb_mat.h>
#include <arb_mat.h>
#include <stdbool.h>

/** Encloses all eigenvalues, n balls, clusters as balls that are repeated. false: they were not separated. */
bool ic_multipliers(acb_ptr multipliers, const arb_mat_t matrix, slong precision);

/** Encloses the largest modulus of n numbers. */
void ic_largest_modulus(arb_t modulus, acb_srcptr numbers, slong n, slong precision);

/**
 * Whether all eigenvalues of real matrices but one lie inside the unit circle, for all matrices in a matrix of
 * balls; the one is the eigenvalue that lies in the ball `except`, which is real and simple.
 */
bool ic_others_inside(const arb_mat_t matrix, const arb_t except, slong precision);

/**
 * An approximate eigenvector, n numbers, for the eigenvalue that is closest to -1 among those whose imaginary
 * part is less than `real`. false: there is none.
 */
bool ic_real_eigenvector(arb_ptr vector, arb_t value, const arb_mat_t matrix, double real, slong precision);

/** Encloses the largest modulus of the eigenvalues, if they were not separated: by norms of powers. */
void ic_spectral_radius(arb_t radius, const arb_mat_t matrix, slong precision);
