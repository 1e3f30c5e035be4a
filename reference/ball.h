/* SPDX-License-Identifier: MIT */
/**
 * Ball arithmetic by Arb, either the separate library (FLINT 2) or part of FLINT 3. The build sets
 * the include path.
 */
#ifndef IC_REFERENCE_BALL_H
#define IC_REFERENCE_BALL_H

#include <acb.h>
#include <arb.h>
#include <fmpq.h>
#include <mag.h>

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

#endif
