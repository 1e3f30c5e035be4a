/* SPDX-License-Identifier: MIT */
/**
 * Routh's construction: the path of a planar rigid impact in the plane of impulses, corner by
 * corner, up to the end that a hypothesis determines.
 */
#pragma once

#include "impactcheck/impactcheck.h"

/** A straight line of the path. Everything is linear in the length u along it. */
typedef struct ic_impulse_line {
    /* IC_IMPACT_RIGID_... */
    int mode;

    /* dP/du; d[1] > 0, and 1 while it sticks or if mu is at most 1 */
    double d[2];

    /* dv_x/du, dv_y/du */
    double a, b;
} ic_impulse_line;

/** The arguments of a hypothesis. Compression has ended, so line->b > 0. */
typedef struct ic_restitution {
    const ic_impact *impact;

    /* the end of compression */
    const ic_impact_point *compressed;

    /* the last corner: the end of compression, or a stop after it */
    const ic_impact_point *now;

    /* the line on which the path continues */
    const ic_impulse_line *line;
} ic_restitution;

/**
 * A hypothesis: the length u to lift-off on the line, if the line continues. A negative value
 * stands for 0 with rounding.
 */
typedef double ic_restitution_hypothesis(const ic_restitution *restitution);

/** The fault of an impact, in words, or NULL. */
const char *ic_impact_fault(const ic_impact *impact);

/**
 * Smallest and largest magnitude of v_y, w_xx and w_yy; the largest also applies to v_x and w_xy.
 */
#define IC_LEAST_IMPACT 1e-75
#define IC_MOST_IMPACT 1e75

/**
 * Follow an impact to lift-off. IC_INVALID, with an empty result, if the impact has a fault.
 *
 * Corners: start, at most one stop, end of compression, lift-off, in the order in which they are
 * reached; a stop precedes what coincides with it. With e = 0 nothing follows the end of
 * compression: its mode is already IC_IMPACT_LIFTED_OFF, and the corner of lift-off repeats it.
 */
ic_status ic_impulse_path(ic_impact_result *result, const ic_impact *impact,
                          ic_restitution_hypothesis *hypothesis);
