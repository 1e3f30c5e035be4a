/* SPDX-License-Identifier: MIT */
/**
 * Ball arithmetic by Arb, either the separate library (FLINT 2) or part of FLINT 3. The build sets
 * the include path.
 */
#pragma once

#include <acb.h>
#include <arb.h>
#include <arb_mat.h>
#include <arb_poly.h>
#include <fmpq.h>
#include <mag.h>
#include <string.h>
#include <ulong_extras.h>

#define IC_LIFE_OF(kind_, struct_)                                                                             \
    static inline void ic_##kind_##_begin(struct_ *const *x)                                                   \
    {                                                                                                          \
        while (*x != NULL) kind_##_init(*x++);                                                                 \
    }                                                                                                          \
    static inline void ic_##kind_##_end(kind_##_t *x)                                                          \
    {                                                                                                          \
        kind_##_clear(*x);                                                                                     \
    }
IC_LIFE_OF(arb, arb_struct)
IC_LIFE_OF(acb, acb_struct)
IC_LIFE_OF(arf, arf_struct)
IC_LIFE_OF(mag, mag_struct)
IC_LIFE_OF(fmpq, fmpq)

#define IC_NUMBERS(kind_, struct_, ...)                                                                        \
    __attribute__((cleanup(ic_##kind_##_end))) kind_##_t __VA_ARGS__;                                          \
    ic_##kind_##_begin((struct_ *const[]){__VA_ARGS__, NULL})

/**
 * Numbers that live as long as the block that declares them: IC_BALLS(x, y); declares and initialises x and y, which
 * are cleared where the block ends, however it is left, except by longjmp.
 */
#define IC_BALLS(...) IC_NUMBERS(arb, arb_struct, __VA_ARGS__)
#define IC_COMPLEX_BALLS(...) IC_NUMBERS(acb, acb_struct, __VA_ARGS__)
#define IC_FLOATS(...) IC_NUMBERS(arf, arf_struct, __VA_ARGS__)
#define IC_BOUNDS(...) IC_NUMBERS(mag, mag_struct, __VA_ARGS__)
#define IC_RATIONALS(...) IC_NUMBERS(fmpq, fmpq, __VA_ARGS__)

#define IC_LIFE_OF_VECTOR(kind_, struct_)                                                                      \
    typedef struct ic_##kind_##_vector {                                                                       \
        struct_ *x;                                                                                            \
        slong n;                                                                                               \
    } ic_##kind_##_vector;                                                                                     \
    static inline ic_##kind_##_vector ic_##kind_##_vector_begin(slong n)                                       \
    {                                                                                                          \
        return (ic_##kind_##_vector){_##kind_##_vec_init(n), n};                                               \
    }                                                                                                          \
    static inline void ic_##kind_##_vector_end(ic_##kind_##_vector *v)                                         \
    {                                                                                                          \
        _##kind_##_vec_clear(v->x, v->n);                                                                      \
    }
IC_LIFE_OF_VECTOR(arb, arb_struct)
IC_LIFE_OF_VECTOR(acb, acb_struct)
IC_LIFE_OF_VECTOR(mag, mag_struct)

static inline void ic_arb_mat_end(arb_mat_t *m)
{
    arb_mat_clear(*m);
}

#define IC_VECTOR(kind_, x_, n_)                                                                               \
    __attribute__((cleanup(ic_##kind_##_vector_end))) ic_##kind_##_vector life_of_##x_ =                       \
        ic_##kind_##_vector_begin(n_);                                                                         \
    const kind_##_ptr x_ = life_of_##x_.x

/** The same for n numbers at x, and for a matrix. */
#define IC_BALL_VECTOR(x_, n_) IC_VECTOR(arb, x_, n_)
#define IC_COMPLEX_VECTOR(x_, n_) IC_VECTOR(acb, x_, n_)
#define IC_BOUND_VECTOR(x_, n_) IC_VECTOR(mag, x_, n_)
#define IC_BALL_MATRIX(m_, rows_, columns_)                                                                    \
    __attribute__((cleanup(ic_arb_mat_end))) arb_mat_t m_;                                                     \
    arb_mat_init(m_, rows_, columns_)

static inline void ic_memory_end(void *block)
{
    void *x;
    memcpy(&x, block, sizeof x);
    flint_free(x);
}

/** Zeros for n elements of any other type, in a block that lives as long. */
#define IC_ZEROS(type_, x_, n_)                                                                                \
    __attribute__((cleanup(ic_memory_end))) type_ *x_ = flint_calloc((size_t)(n_) + 1, sizeof(type_))

/** Calls arb_init, fmpq_clear or a like function with each of several numbers. */
#define IC_EACH(function_, first_, ...)                                                                        \
    do {                                                                                                       \
        __typeof__(&(first_)[0]) const each_[] = {first_, __VA_ARGS__};                                        \
        for (size_t i_ = 0; i_ < sizeof each_ / sizeof each_[0]; i_++) function_(each_[i_]);                   \
    } while (0)
