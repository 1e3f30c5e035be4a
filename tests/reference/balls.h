/* SPDX-License-Identifier: MIT */
/** Comparison of doubles with balls. */
#pragma once

#include "reference/ball.h"
#include <stdbool.h>

/** Returns whether |value - x| <= tolerance |x| for all x in the ball. */
static inline bool ic_tests_agrees_with_ball(double value, const arb_t ball, double tolerance)
{
    enum { BITS_OF_TEST = 600 };
    arb_t difference, allowed;
    arb_init(difference), arb_init(allowed);
    arb_set_d(difference, value);
    arb_sub(difference, difference, ball, BITS_OF_TEST);
    arb_abs(difference, difference);
    arb_set_d(allowed, tolerance);
    arb_mul(allowed, allowed, ball, BITS_OF_TEST);
    arb_abs(allowed, allowed);
    const bool yes = arb_le(difference, allowed);
    arb_clear(difference), arb_clear(allowed);
    return yes;
}
