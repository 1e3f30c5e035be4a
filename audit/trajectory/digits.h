/* SPDX-License-Identifier: MIT */
/**
 * With how many digits numbers are written: those that have few are rounded, up to half of the
 * last.
 */
#ifndef IC_AUDIT_TRAJECTORY_DIGITS_H
#define IC_AUDIT_TRAJECTORY_DIGITS_H

#include <stddef.h>

typedef struct ic_digits {
    /* of all numbers; significant 0: more than 13, which counts as exact */
    int significant, decimals;
} ic_digits;

/** The digits of values[0], values[stride], ..., n of them. */
ic_digits ic_digits_of(const double *values, size_t n, size_t stride);

/** How far a number that is written so may be from what it was. */
double ic_digits_rounding(const ic_digits *digits, double value);

#endif
