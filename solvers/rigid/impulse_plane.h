/* SPDX-License-Identifier: MIT */
/**
 * Routh's construction: the path of a planar rigid impact through the plane of impulses, corner by corner, up to where a
 * hypothesis lets it end.
 */
#ifndef IC_SOLVERS_RIGID_IMPULSE_PLANE_H
#define IC_SOLVERS_RIGID_IMPULSE_PLANE_H

#include "impactcheck/impactcheck.h"

/** A straight piece of the path. Everything is linear in the length u along it. */
typedef struct ic_impulse_line {
    int mode;    /* IC_IMPACT_RIGID_... */
    double d[2]; /* dP/du; d[1] > 0: 1 while it sticks, or where mu is at most 1 */
    double a, b; /* dv_x/du, dv_y/du */
} ic_impulse_line;

/** What a hypothesis may look at. Compression has ended, so that line->b > 0. */
typedef struct ic_restitution {
    const ic_impact *impact;
    const ic_impact_point *compressed; /* the end of compression */
    const ic_impact_point *now;        /* the last corner: the same, or a stop after it */
    const ic_impulse_line *line;       /* on which the path goes on from there */
} ic_restitution;

/** A hypothesis: length u on the line to lift-off, if it goes on for ever. Negative: rounding of 0. */
typedef double ic_hypothesis(const ic_restitution *restitution);

/** NULL, or what is wrong with an impact, in words. */
const char *ic_impact_fault(const ic_impact *impact);

/** Least and greatest magnitude of v_y, w_xx and w_yy; the greatest also of v_x and w_xy. */
#define IC_IMPACT_LEAST 1e-75
#define IC_IMPACT_MOST 1e75

/**
 * Follow an impact to lift-off. IC_INVALID, with an empty result, where ic_impact_fault names a fault.
 *
 * Corners: start, stop at most once, end of compression, lift-off, in the order in which they are met; a stop comes before
 * what it coincides with. With e = 0 nothing follows the end of compression: its mode is IC_IMPACT_LIFTED_OFF already, and
 * the corner of lift-off repeats it.
 */
ic_status ic_impulse_path(ic_impact_result *result, const ic_impact *impact, ic_hypothesis *hypothesis);

#endif
