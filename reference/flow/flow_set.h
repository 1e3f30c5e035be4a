/* SPDX-License-Identifier: MIT */
/**
 * Sets of points in the space of the states and the time that follow a flow without wrapping:
 *
 *     {c + A r : |r_j| <= rho_j},
 *
 * with an exact centre c and an exact matrix A (Lohner 1987). Images under a map P are enclosed by
 * the mean value form P(c) + P'(set) A r; A is then replaced by a matrix close to the Q of its
 * QR decomposition. Coordinates that are exact have rows of zeros and stay exact.
 */
#pragma once

#include "reference/ball.h"

#include <arb_mat.h>

/** Precision, bits, of A and of derivatives, which multiply radii. */
enum { IC_FRAME_BITS = 64, IC_SECTION_BITS = 2 * IC_FRAME_BITS /* of maps to sections and of jumps */ };

typedef struct ic_flow_set {
    /* number of coordinates, and of columns of A */
    slong n, columns;

    /* c, n exact numbers */
    arb_ptr centre;

    /* A, n x columns */
    arb_mat_t frame;

    /* rho */
    mag_ptr radius;
} ic_flow_set;

/** A set of `n` coordinates that is one point, 0. */
void ic_flow_set_init(ic_flow_set *set, slong n);
void ic_flow_set_clear(ic_flow_set *set);

/** The smallest set with axes along the coordinates that contains n balls. */
void ic_flow_set_place(ic_flow_set *set, arb_srcptr box);

/** Make a set, which was initialised, equal to another one of as many coordinates. */
void ic_flow_set_copy(ic_flow_set *set, const ic_flow_set *from);

/** Encloses the set in n balls. */
void ic_flow_set_box(arb_ptr box, const ic_flow_set *set);

/** Bounds |(A r)_i|, the distance of a coordinate from the centre. */
void ic_flow_set_spread(mag_t spread, const ic_flow_set *set, slong i);

/**
 * The image of the set under a map: `image` (n balls) encloses the image of the centre,
 * `derivative` (n x n) the derivative at all points of the set.
 */
void ic_flow_set_map(ic_flow_set *set, arb_srcptr image, const arb_mat_t derivative);
