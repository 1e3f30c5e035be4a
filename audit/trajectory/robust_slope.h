/* SPDX-License-Identifier: MIT */
/**
 * A straight line through the origin, z = s a, with errors of which only relative sizes are known,
 * and some of which are none of its own: the slope, and how sure it is by what the points show.
 * Huber & Ronchetti, Robust Statistics, 7; White, Econometrica 48 (1980).
 */
#ifndef IC_AUDIT_TRAJECTORY_ROBUST_SLOPE_H
#define IC_AUDIT_TRAJECTORY_ROBUST_SLOPE_H

#include <stddef.h>

typedef struct ic_slope_point {
    /* points whose errors have one source; they stand together */
    size_t group;

    /* in deviations that are expected of z */
    double z, a;

    /* likewise: least uncertainty of z, whatever the points show */
    double floor;
} ic_slope_point;

typedef struct ic_fitted_slope {
    /* NAN: no point determines it */
    double value;

    /* standard deviation by the scatter of the points; for few points also by expectation */
    double deviation;

    /* scatter of z about the line, by a median; 1: as expected */
    double scatter;

    /* scatter of z about zero, by the same median */
    double before;

    /* effective number of groups that determine it */
    double n;
} ic_fitted_slope;

/** Fit the slope; `shared`: number of groups for each independent one. */
ic_fitted_slope ic_robust_slope(const ic_slope_point *points, size_t n, double shared);

#endif
