/* SPDX-License-Identifier: MIT */
/**
 * Bending modes of a cantilever, clamped at xi = 0 and free at xi = 1, in ball arithmetic. With
 * phi'''' = lambda^4 phi, phi(0) = phi'(0) = phi''(1) = phi'''(1) = 0 and integral of phi^2 = 1,
 *
 *     phi = cosh(lambda xi) - cos(lambda xi) - sigma (sinh(lambda xi) - sin(lambda xi)),
 *     cos(lambda) cosh(lambda) = -1,
 *     sigma = (sinh(lambda) - sin(lambda))/(cosh(lambda) + cos(lambda)).
 *
 * All results are proved. A mode is a sum of four exponentials c_k exp(z_k xi) with z = lambda,
 * -lambda, i lambda and -i lambda, and so is each of its derivatives; an integral of a polynomial
 * times one or two of them is a sum of
 *
 *     integral of xi^m exp(z xi) = (exp(z) - m integral of xi^(m-1) exp(z xi))/z     (1/(m+1) for z = 0).
 */
#pragma once

#include "reference/ball.h"

#include <stdbool.h>

typedef struct ic_cantilever_mode {
    arb_t lambda, sigma;

    /* bits of both enclosures, more than requested since exponentials of lambda cancel */
    slong prec;
} ic_cantilever_mode;

/** Computes mode r = 0, 1, ..., such that later computations keep about `prec` bits. */
void ic_cantilever_mode_init(ic_cantilever_mode *mode, long r, slong prec);
void ic_cantilever_mode_clear(ic_cantilever_mode *mode);

/** (1 - sigma) exp(lambda), from its definition. */
void ic_cantilever_mode_tail(arb_t value, const ic_cantilever_mode *mode);

/**
 * An integrand over xi from 0 to 1: (w_0 + w_1 xi + w_2 xi^2) times derivatives of one or of two
 * modes.
 */
typedef struct ic_cantilever_integrand {
    slong weight[3];

    /* second may be NULL: 1 */
    const ic_cantilever_mode *first, *second;

    /* derivatives of both modes */
    int derivative;
} ic_cantilever_integrand;

/** Integral by the sum of exponentials. */
void ic_cantilever_integral(arb_t value, const ic_cantilever_integrand *integrand);
