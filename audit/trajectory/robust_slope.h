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

    /* likewise: z is known no better, whatever the points show */
    double floor;
} ic_slope_point;

typedef struct ic_slope {
    /* NAN: no point tells it */
    double value;

    /* standard, by the scatter of the points; of few also by what is expected */
    double deviation;

    /* of z about the line, by a median; 1: as expected */
    double scatter;

    /* of z about zero, by the same median */
    double before;

    /* groups that tell it, where those that tell less count less */
    double n;
} ic_slope;

/** `shared`: how many groups there are for each that is independent. */
ic_slope ic_robust_slope(const ic_slope_point *points, size_t n, double shared);

#endif
