/* SPDX-License-Identifier: MIT */
/** Functions of vectors that are rounded alike on every processor. Only for kernels. */
#pragma once

#include "sweep/vectors.h"

/* Adding it rounds to a whole number, which is then in the low bits. */
#define ROUNDER 0x1.8p52
/* pi/2 as a sum of doubles */
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_2 0x1.1a62633145c07p-54
#define HALF_PI_3 -0x1.f1976b7ed8fbcp-110
/* Up to this many quarter turns the remainder is exact to its last place. */
#define MOST_QUARTERS 0x1p40

/* log2 a within 1.1e-4, for normal a > 0: a step length needs no more. */
static ALWAYS_INLINE vec rough_log2(vec a)
{
    const bits raised = ((bits)a >> 52) | 0x4330000000000000UL;
    const vec exponent = (vec)raised - 0x1p52 - 1023;
    const vec m = (vec)(((bits)a & 0x000fffffffffffffUL) | 0x3ff0000000000000UL);
    return exponent + ((((-0.08001087546186841 * m + 0.6355111078697635) * m - 2.0994022621299244) * m +
                        4.049616874292083) *
                           m -
                       2.505614655528278);
}

/* 2^a within 4e-6, for |a| < 1000 */
static ALWAYS_INLINE vec rough_exp2(vec a)
{
    const vec shifted = a + ROUNDER, f = a - (shifted - ROUNDER);
    const vec p =
        (((0.00967603709797661 * f + 0.05592203564735902) * f + 0.24022107355828015) * f + 0.6931210339915279) *
            f +
        1.0000000754953493;
    return (vec)((bits)p + ((bits)shifted << 52));
}

/* sin a and cos a within a unit in the last place; NAN beyond MOST_QUARTERS */
static ALWAYS_INLINE void sine_and_cosine(vec a, vec *sine, vec *cosine)
{
    const vec shifted = a * (1 / HALF_PI) + ROUNDER, quarters = shifted - ROUNDER;
    vec r = fused(-quarters, all(HALF_PI), a);
    r = fused(-quarters, all(HALF_PI_2), r);
    r = fused(-quarters, all(HALF_PI_3), r);
    const vec rr = r * r;
    /* Taylor's series to r^17 and r^18: (pi/4)^19/19! < 2^-63 */
    static const double odd[] = {1 / 355687428096000.0, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0,
                                 1 / 362880.0,          -1 / 5040.0,          1 / 120.0,        -1 / 6.0};
    static const double even[] = {-1 / 6402373705728000.0,
                                  1 / 20922789888000.0,
                                  -1 / 87178291200.0,
                                  1 / 479001600.0,
                                  -1 / 3628800.0,
                                  1 / 40320.0,
                                  -1 / 720.0,
                                  1 / 24.0,
                                  -0.5};
    vec s = all(odd[0]), c = all(even[0]);
    for (int k = 1; k < 8; k++) s = fused(s, rr, all(odd[k]));
    for (int k = 1; k < 9; k++) c = fused(c, rr, all(even[k]));
    s = fused(s * rr, r, r);
    c = fused(c, rr, all(1));
    const mask low = (mask)shifted, swapped = -(low & 1);
    const vec s_of = choose(swapped, c, s), c_of = choose(swapped, s, c);
    const mask s_negative = -((low >> 1) & 1), c_negative = -(((low + 1) >> 1) & 1);
    const vec valid = choose(modulus(quarters) <= MOST_QUARTERS, all(0), all(NAN));
    *sine = choose(s_negative, -s_of, s_of) + valid;
    *cosine = choose(c_negative, -c_of, c_of) + valid;
}

/* sum of a_j u^j; even and odd powers apart, which halves the chain of dependent operations */
static ALWAYS_INLINE vec value_at(const vec *a, int degree, vec u)
{
    const vec v = u * u;
    int j = degree;
    vec even = all(0), odd = all(0);
    if (j % 2 == 0) even = a[j--];
    for (; j >= 1; j -= 2) {
        odd = fused(odd, v, a[j]);
        even = fused(even, v, a[j - 1]);
    }
    return fused(odd, u, even);
}
