/* SPDX-License-Identifier: MIT */
/** The real Schur form of a small matrix, in long double. */
#pragma once

#include <stddef.h>

/**
 * Replaces `a` by Q^T a Q, which is zero below blocks on its diagonal, and `basis` by basis Q, with an
 * orthogonal Q. Both are n x n, row-major. Blocks are of order 1 and 2, except where the iteration does not
 * converge, as with pairs of conjugate eigenvalues that occur twice; such blocks are upper Hessenberg.
 * `norm`: the sum of moduli of a, finite. Zeros of `a` save work.
 *
 * Method: Hessenberg form by rotations, then QR steps with two shifts at once, which keep everything real
 * (Francis; Golub & Van Loan, Matrix Computations, 4th ed., 7.5.5; with the start of the step further down
 * where a subdiagonal is small: Wilkinson & Reinsch, Linear Algebra, 1971, II/14).
 */
void ic_real_schur(long double *a, long double *basis, size_t n, long double norm);
