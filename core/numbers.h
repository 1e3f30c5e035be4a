/* SPDX-License-Identifier: MIT */
/** Two functions of numbers that all parts of the program use. */
#ifndef IC_CORE_NUMBERS_H
#define IC_CORE_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/** -1, 0 or +1; 0 for NAN. */
static inline int ic_sign(double value)
{
    return (value > 0) - (value < 0);
}

/** Whether all n numbers are finite. */
static inline bool ic_all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

#endif
