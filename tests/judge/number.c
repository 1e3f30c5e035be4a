/* SPDX-License-Identifier: MIT */
#include "tests/judge/number.h"

#include <assert.h>

enum { MOST = 4096 };

static mpfr_t pool[MOST];
static size_t made, used;
static mpfr_prec_t precision = 192;

void r_precision(mpfr_prec_t bits)
{
    r_close();
    precision = bits;
}

mpfr_prec_t r_bits(void)
{
    return precision;
}

size_t r_mark(void)
{
    return used;
}

void r_forget(size_t mark)
{
    used = mark;
}

void r_close(void)
{
    while (made > 0) mpfr_clear(pool[--made]);
    used = 0;
    mpfr_free_cache();
}

mpfr_ptr r_new(void)
{
    assert(used < MOST);
    if (used == made) mpfr_init2(pool[made++], precision);
    return pool[used++];
}

num r_si(long value)
{
    mpfr_ptr r = r_new();
    mpfr_set_si(r, value, MPFR_RNDN);
    return r;
}

num r_fraction(long p, long q)
{
    mpfr_ptr r = r_new();
    mpfr_set_si(r, p, MPFR_RNDN);
    mpfr_div_si(r, r, q, MPFR_RNDN);
    return r;
}

num r_pi(void)
{
    mpfr_ptr r = r_new();
    mpfr_const_pi(r, MPFR_RNDN);
    return r;
}

#define UNARY(name, function)                                                                                  \
    num name(num a)                                                                                            \
    {                                                                                                          \
        mpfr_ptr r = r_new();                                                                                  \
        function(r, a, MPFR_RNDN);                                                                             \
        return r;                                                                                              \
    }

#define BINARY(name, function, type, b)                                                                        \
    num name(num a, type b)                                                                                    \
    {                                                                                                          \
        mpfr_ptr r = r_new();                                                                                  \
        function(r, a, b, MPFR_RNDN);                                                                          \
        return r;                                                                                              \
    }

BINARY(r_add, mpfr_add, num, b)
BINARY(r_sub, mpfr_sub, num, b)
BINARY(r_mul, mpfr_mul, num, b)
BINARY(r_div, mpfr_div, num, b)
BINARY(r_max, mpfr_max, num, b)
BINARY(r_times, mpfr_mul_si, long, k)
BINARY(r_over, mpfr_div_si, long, k)
UNARY(r_neg, mpfr_neg)
UNARY(r_square, mpfr_sqr)
UNARY(r_sqrt, mpfr_sqrt)
UNARY(r_cbrt, mpfr_cbrt)
UNARY(r_exp, mpfr_exp)
UNARY(r_log, mpfr_log)
UNARY(r_sin, mpfr_sin)
UNARY(r_cos, mpfr_cos)
UNARY(r_tanh, mpfr_tanh)
UNARY(r_atan, mpfr_atan)
UNARY(r_abs, mpfr_abs)

num r_add_products(num a, num b, num c, num d)
{
    mpfr_ptr r = r_new();
    mpfr_fmma(r, a, b, c, d, MPFR_RNDN);
    return r;
}

num r_power(num a, long p, long q)
{
    mpfr_ptr r = r_new();
    if (mpfr_sgn(a) <= 0) {
        mpfr_set_zero(r, 1);
        return r;
    }
    if (q == 2) mpfr_sqrt(r, a, MPFR_RNDN);
    else mpfr_rootn_ui(r, a, (unsigned long)q, MPFR_RNDN);
    mpfr_pow_si(r, r, p, MPFR_RNDN);
    return r;
}
