/* SPDX-License-Identifier: MIT */
/**
 * The number of digits with which numbers are written. Numbers with few digits are rounded, by up
 * to half a unit of the last digit.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_DIGITS_H
#define IC_AUDIT_TRAJECTORY_INPUT_DIGITS_H

#include <stddef.h>

typedef struct ic_digits {
    /* Digits of all numbers; significant = 0: more than 13, which counts as exact. */
    int significant, decimals;
} ic_digits;

/** Find the digits of n numbers: values[0], values[stride], ... */
ic_digits ic_digits_of(const double *values, size_t n, size_t stride);

/** Greatest distance of a number with these digits from the number before rounding. */
double ic_digits_rounding(const ic_digits *digits, double value);

#endif
