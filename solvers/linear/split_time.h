/* SPDX-License-Identifier: MIT */
/** Time as the sum of a double and its rounding error, for runs of many short steps. */
#pragma once

#include <math.h>

/** Writes t0 + t0_rest + length as *t, rounded, and its rounding error *rest. */
static inline void ic_split_time_add(double t0, double t0_rest, double length, double *t, double *rest)
{
    const double sum = t0 + length;
    const double part = sum - t0;
    const double error = (t0 - (sum - part)) + (length - part) + t0_rest;
    *t = sum + error;
    *rest = error - (*t - sum);
}

/** Writes cos and sin of w (t0 + t0_rest), corrected by the rounding error of the product w t0. */
static inline void ic_split_time_forcing(double t0, double t0_rest, double w, double *cosine, double *sine)
{
    const double phase = w * t0;
    const double rest = fma(w, t0, -phase) + w * t0_rest;
    const double c = cos(phase), s = sin(phase);
    *cosine = c - rest * s;
    *sine = s + rest * c;
}
