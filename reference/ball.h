/* SPDX-License-Identifier: MIT */
/**
 * Ball arithmetic by Arb, either the separate library (FLINT 2) or part of FLINT 3. The build sets
 * the include path.
 */
#ifndef IC_REFERENCE_BALL_H
#define IC_REFERENCE_BALL_H

#include <arb.h>
#include <mag.h>

/** Calls arb_init, fmpq_clear or a like function with each of several numbers. */
#define IC_EACH(function_, first_, ...)                                                                        \
    do {                                                                                                       \
        __typeof__(&(first_)[0]) const each_[] = {first_, __VA_ARGS__};                                        \
        for (size_t i_ = 0; i_ < sizeof each_ / sizeof each_[0]; i_++) function_(each_[i_]);                   \
    } while (0)

#endif
