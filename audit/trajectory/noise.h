/* SPDX-License-Identifier: MIT */
/**
 * Noise of a state, from the rows alone: the k-th difference of a smooth quantity falls with k,
 * that of noise of the deviation sigma has the deviation sigma sqrt(binomial(2k, k)). Divided
 * differences say the same of rows that are spaced unequally. The least of what k = 2 to 6 say,
 * each by a median, which events and steps do not move.
 */
#ifndef IC_AUDIT_TRAJECTORY_NOISE_H
#define IC_AUDIT_TRAJECTORY_NOISE_H

#include "audit/trajectory/trajectory.h"

/**
 * Median of |z| for a standard normal z: what a median of deviations is divided by to be a standard
 * deviation.
 */
#define IC_NORMAL_MEDIAN 0.6744897501960817

/** Standard deviation; 0 for fewer than three rows without an event. false: no memory. */
bool ic_noise_estimate(double *sigma, const ic_trajectory *trajectory, size_t state);

/** The median of n numbers, which are put in order. NAN for none. */
double ic_audit_median(double *values, size_t n);

/** A value and how much it counts. */
typedef struct ic_weighted {
    double value, weight;
} ic_weighted;

/** The value up to which half of the weight lies; sorts the n values. NAN: there is none. */
double ic_weighted_median(ic_weighted *values, size_t n);

#endif
