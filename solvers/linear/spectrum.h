/* SPDX-License-Identifier: MIT */
/**
 * The exponential of a linear field, in closed form.
 *
 * With z = (x, 1, cos w t, sin w t) the field dx/dt = A x + b + u cos w t + v sin w t is z' = M z.
 * A matrix W takes z to coordinates y = W z in which M is block-diagonal, one block lambda I + N
 * for each cluster of eigenvalues, and a matrix V takes them back, so that
 *
 *     z(t + s) = V y(s),    y_k(s) = e^{lambda_k s} (I + N_k s + N_k^2 s^2/2 + ...) y_k(0).
 *
 * For a lone eigenvalue N = 0. For a defective one N is nilpotent and the series ends. For
 * eigenvalues that are nearly equal it converges at once, where eigenvectors, nearly parallel,
 * would cancel: this covers repeated roots (critical damping), zero eigenvalues (free flight:
 * polynomials) and resonant forcing alike.
 *
 * Method: Schur form by shifted QR, in real numbers (solvers/linear/schur.h) and then in complex
 * ones (Golub & Van Loan, Matrix Computations, 4th ed., 7.5),
 * then elimination of the coupling between clusters, where an eliminating multiplier that is large
 * joins the two clusters (Bavely & Stewart, SIAM J. Numer. Anal. 16 (1979) 359-367). All in long
 * double, once for each mode, in states divided by their scales.
 */
#pragma once

#include "core/linear_view.h"

typedef struct ic_complex {
    double re, im;
} ic_complex;

/** A cluster of eigenvalues. */
typedef struct ic_spectral_block {
    /* lambda, 1/s */
    ic_complex centre;

    /* greatest distance of an eigenvalue of the cluster from lambda, 1/s */
    double spread;

    /* 2: represents itself and the conjugate block; 1: a real block */
    double weight;

    /* its first coordinate */
    size_t first;

    size_t size;

    /* N, size x size, row-major, 1/s; only its upper triangle is not zero */
    const ic_complex *coupling;
} ic_spectral_block;

typedef struct ic_spectrum {
    /* states */
    size_t n;

    /* of z: n + 3, or n + 1 without forcing */
    size_t columns;

    /* coordinates in all blocks */
    size_t total;

    size_t n_blocks;
    ic_spectral_block *blocks;

    /* W, total x columns */
    ic_complex *left;

    /* V, columns x total; x = sum over blocks of weight Re(V y) */
    ic_complex *right;

    ic_complex *couplings;

    /* greatest modulus of an eigenvalue, 1/s */
    double fastest;
} ic_spectrum;

/**
 * Decompose the field of a view. `scale`: typical magnitudes of the states; `time_scale`:
 * eigenvalues that differ by much less than its inverse may share a block. IC_NOT_FINITE: the field
 * is not finite or the iteration failed.
 */
ic_status ic_spectrum_open(ic_spectrum *spectrum, const ic_linear_view *view, const double *scale,
                           double time_scale);
void ic_spectrum_close(ic_spectrum *spectrum);

/** y := factor (lambda I + N) y for one block, and the same with moduli for sizes, unless NULL. */
void ic_spectral_block_apply(const ic_spectral_block *block, ic_complex lambda, double factor, ic_complex *y,
                             double *sizes);
