/* SPDX-License-Identifier: MIT */
/** Fits a power law y = factor x^exponent, and the band in which y scatters about it. */
#pragma once

#include <stddef.h>

typedef struct ic_power_law {
    /* least squares in the logarithms; NAN where fewer than three points count */
    double exponent, factor;

    /* least and greatest y/(factor x^exponent) */
    double lowest, highest;

    /* points that count: x and y are positive */
    size_t n;
} ic_power_law;

ic_power_law ic_power_law_fit(const double *x, const double *y, size_t n);
