/* SPDX-License-Identifier: MIT */
/**
 * Noise of a state, estimated from the rows alone. The k-th difference of a smooth quantity
 * decreases with k, that of noise of deviation sigma has the deviation sigma sqrt(binomial(2k, k));
 * divided differences do the same for unequal spacing. The estimate is the least over k = 2 to 6 of
 * medians, which events and steps do not affect.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_NOISE_H
#define IC_AUDIT_TRAJECTORY_TRACK_NOISE_H

#include "audit/trajectory/input/trajectory.h"

/**
 * Median of |z| for a standard normal z: divides a median of deviations to give a standard
 * deviation.
 */
#define IC_NORMAL_MEDIAN 0.6744897501960817

/** Standard deviation; 0 for fewer than three rows without an event. false: memory ran out. */
bool ic_noise_estimate(double *sigma, const ic_trajectory *trajectory, size_t state);

/** The median of n numbers, which it sorts; NAN for none. */
double ic_audit_median(double *values, size_t n);

/** A value and its weight. */
typedef struct ic_weighted {
    double value, weight;
} ic_weighted;

/** The weighted median of n values, which it sorts; NAN: none. */
double ic_weighted_median(ic_weighted *values, size_t n);

#endif
