/* SPDX-License-Identifier: MIT */
/**
 * Numbers of MPFR in formulas: r_add(a, b) returns a temporary that lives until the next r_forget(). Plain floating
 * point to nearest: no intervals, and nothing of the reference.
 */
#pragma once

#include <mpfr.h>
#include <stddef.h>

typedef mpfr_srcptr num;

/* The precision of all temporaries, bits; forgets them. */
void r_precision(mpfr_prec_t bits);
mpfr_prec_t r_bits(void);

/* Place among the temporaries, and to go back to it. */
size_t r_mark(void);
void r_forget(size_t mark);

/* Releases all memory. */
void r_close(void);

/* A temporary, to be set. */
mpfr_ptr r_new(void);

num r_si(long value);
num r_fraction(long p, long q);
num r_pi(void);

num r_add(num a, num b);
num r_sub(num a, num b);
num r_mul(num a, num b);
num r_div(num a, num b);
num r_neg(num a);
num r_square(num a);
num r_times(num a, long k);
num r_over(num a, long k);
num r_sqrt(num a);
num r_cbrt(num a);
num r_exp(num a);
num r_log(num a);
num r_sin(num a);
num r_cos(num a);
num r_tanh(num a);
num r_atan(num a);
num r_abs(num a);
num r_max(num a, num b);

/* a b + c d */
num r_add_products(num a, num b, num c, num d);

/* max(a, 0)^(p/q) */
num r_power(num a, long p, long q);
