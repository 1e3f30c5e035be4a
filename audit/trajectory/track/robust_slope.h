/* SPDX-License-Identifier: MIT */
/**
 * Fits a straight line through the origin, z = s a, to points with errors of which only the
 * relative sizes are known, and some of which are outliers. The result is the slope and its
 * uncertainty, from the scatter of the points. Huber & Ronchetti, Robust Statistics, 7; White,
 * Econometrica 48 (1980).
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_ROBUST_SLOPE_H
#define IC_AUDIT_TRAJECTORY_TRACK_ROBUST_SLOPE_H

#include <stddef.h>

typedef struct ic_slope_point {
    /* Group of points whose errors have one source; points of a group are consecutive. */
    size_t group;

    /* In expected deviations of z. */
    double z, a;

    /* Least uncertainty of z, in the same unit, even if the points scatter less. */
    double floor;
} ic_slope_point;

typedef struct ic_fitted_slope {
    /* NAN: no point determines it. */
    double value;

    /*
     * Standard deviation from the scatter of the points; for few points also from the expected one.
     */
    double deviation;

    /* Scatter of z about the line, from a median; 1: as expected. */
    double scatter;

    /* scatter of z about zero, by the same median */
    double before;

    /* effective number of groups that determine it */
    double n;
} ic_fitted_slope;

/** Fit the slope; `shared`: number of groups for each independent one. */
ic_fitted_slope ic_robust_slope(const ic_slope_point *points, size_t n, double shared);

#endif
