/* SPDX-License-Identifier: MIT */
/**
 * Vectors of IC_VECTOR_BYTES bytes with one number of each lane, and products of rows with
 * z = (x, 1, cos w t, sin w t) of n states. Only for kernel.c.
 *
 * In a mask, all bits of a lane are set or none. Operations compute every lane; `choose` keeps the
 * result in the lanes of a mask.
 */
#ifndef IC_SWEEP_BATCH_VECTORS_H
#define IC_SWEEP_BATCH_VECTORS_H

#include "sweep/batch/batch.h"

#include <stdint.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double vec __attribute__((vector_size(IC_VECTOR_BYTES)));
typedef int64_t mask __attribute__((vector_size(IC_VECTOR_BYTES)));

enum { LANES = IC_VECTOR_BYTES / (int)sizeof(double) };

#define ALWAYS_INLINE inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

static ALWAYS_INLINE vec choose(mask m, vec yes, vec no)
{
#if IC_VECTOR_BYTES == 32 && defined(__AVX__)
    return _mm256_blendv_pd(no, yes, (vec)m);
#else
    return (vec)(((mask)yes & m) | ((mask)no & ~m));
#endif
}

static ALWAYS_INLINE vec modulus(vec a)
{
    return (vec)((mask)a & 0x7fffffffffffffffL);
}

static ALWAYS_INLINE vec least(vec a, vec b)
{
    return choose(a < b, a, b);
}

static ALWAYS_INLINE vec most(vec a, vec b)
{
    return choose(a > b, a, b);
}

static ALWAYS_INLINE vec all(double a)
{
    return (vec){0} + a;
}

static ALWAYS_INLINE mask none(void)
{
    return (mask){0};
}

static ALWAYS_INLINE bool any(mask m)
{
#if IC_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif IC_VECTOR_BYTES == 32 && defined(__AVX__)
    return _mm256_movemask_pd((__m256d)m) != 0;
#elif IC_VECTOR_BYTES == 16 && defined(__SSE2__)
    return _mm_movemask_pd((__m128d)m) != 0;
#else
    int64_t bits = 0;
    for (int l = 0; l < LANES; l++) bits |= m[l];
    return bits != 0;
#endif
}

/* ---- rows and matrices times z */

/** Columns of a row that are nonzero in some lane. */
typedef struct pattern {
    int n, at[IC_BATCH_COLUMNS];
} pattern;

/* Row times z without the constant: complete for a term of a series, whose constant is 0. */
static ALWAYS_INLINE vec dot_of_term(const vec *row, const vec *z, const int n)
{
    /* two sums halve the chain of dependent additions */
    vec sum = row[n + 1] * z[n + 1], other = row[n + 2] * z[n + 2];
    UNROLL
    for (int j = 0; j + 1 < n; j += 2) {
        sum += row[j] * z[j];
        other += row[j + 1] * z[j + 1];
    }
    if (n % 2 != 0) sum += row[n - 1] * z[n - 1];
    return sum + other;
}

static ALWAYS_INLINE vec dot(const vec *row, const vec *z, const int n)
{
    return dot_of_term(row, z, n) + row[n];
}

static ALWAYS_INLINE vec sparse_dot(const vec *row, const pattern *columns, const vec *z)
{
    vec sum = row[columns->at[0]] * z[columns->at[0]];
    for (int k = 1; k < columns->n; k++) sum += row[columns->at[k]] * z[columns->at[k]];
    return sum;
}

static ALWAYS_INLINE vec bound(const vec *factors, const vec *z, const int n)
{
    vec sum = factors[IC_BATCH_FORCED];
    UNROLL
    for (int j = 0; j < n; j++) sum += factors[j] * modulus(z[j]);
    return sum;
}

/* z one step later: states by the matrix, forcing by rotation. */
static ALWAYS_INLINE void carry(vec *out, const vec m[IC_BATCH_STATES][IC_BATCH_COLUMNS], vec cosine, vec sine,
                                const vec *z, const int n)
{
    UNROLL
    for (int i = 0; i < n; i++) out[i] = dot(m[i], z, n);
    const vec c = cosine * z[n + 1] - sine * z[n + 2];
    out[n + 2] = sine * z[n + 1] + cosine * z[n + 2];
    out[n + 1] = c;
    out[n] = all(1);
}

#endif
