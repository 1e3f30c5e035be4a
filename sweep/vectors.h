/* SPDX-License-Identifier: MIT */
/**
 * Vectors of IC_VECTOR_BYTES bytes with one number of each lane. Only for kernels, which are compiled once
 * for each width.
 *
 * In a mask, all bits of a lane are set or none. Operations compute every lane; `choose` keeps the
 * result in the lanes of a mask. Each operation is rounded alike with every width: products are rounded with
 * their sum only where `fused` says so.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef double vec __attribute__((vector_size(IC_VECTOR_BYTES)));
typedef int64_t mask __attribute__((vector_size(IC_VECTOR_BYTES)));
typedef uint64_t bits __attribute__((vector_size(IC_VECTOR_BYTES)));

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
#elif IC_VECTOR_BYTES == 16 && defined(__SSE2__)
    return _mm_or_pd(_mm_and_pd((vec)m, yes), _mm_andnot_pd((vec)m, no));
#else
    return (vec)(((mask)yes & m) | ((mask)no & ~m));
#endif
}

/* a b + c, rounded once */
static ALWAYS_INLINE vec fused(vec a, vec b, vec c)
{
#if IC_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return _mm512_fmadd_pd(a, b, c);
#elif IC_VECTOR_BYTES == 32 && defined(__FMA__)
    return _mm256_fmadd_pd(a, b, c);
#elif IC_VECTOR_BYTES == 16 && defined(__aarch64__)
    return vfmaq_f64(c, a, b);
#else
    vec sum = c;
    for (int l = 0; l < LANES; l++) sum[l] = fma(a[l], b[l], c[l]);
    return sum;
#endif
}

/* The square root, which is rounded correctly. */
static ALWAYS_INLINE vec root(vec a)
{
    vec y = a;
    for (int l = 0; l < LANES; l++) y[l] = sqrt(a[l]);
    return y;
}

static ALWAYS_INLINE vec modulus(vec a)
{
    return (vec)((mask)a & 0x7fffffffffffffffL);
}

/* a < b ? a : b */
static ALWAYS_INLINE vec least(vec a, vec b)
{
#if IC_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return _mm512_min_pd(a, b);
#elif IC_VECTOR_BYTES == 32 && defined(__AVX__)
    return _mm256_min_pd(a, b);
#else
    return choose(a < b, a, b);
#endif
}

/* a > b ? a : b */
static ALWAYS_INLINE vec most(vec a, vec b)
{
#if IC_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return _mm512_max_pd(a, b);
#elif IC_VECTOR_BYTES == 32 && defined(__AVX__)
    return _mm256_max_pd(a, b);
#else
    return choose(a > b, a, b);
#endif
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
    int64_t any_bits = 0;
    for (int l = 0; l < LANES; l++) any_bits |= m[l];
    return any_bits != 0;
#endif
}

/* Whether the processor has the instructions for which the kernel is compiled. */
static inline bool vectors_run_here(void)
{
#if IC_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f");
#elif IC_VECTOR_BYTES == 32 && defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}
