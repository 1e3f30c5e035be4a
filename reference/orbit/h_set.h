/* SPDX-License-Identifier: MIT */
/**
 * h-sets: parallelograms with coordinates (a, b), all points c + a u + b s with |a| <= 1 and |b| <= 1; and
 * a map of the plane between the coordinates of two of them. Its left and right edges are a = -1 and a = 1.
 */
#pragma once

#include "reference/orbit/planar_map.h"

/** Vectors of h-sets are exact, in millionths. */
enum { IC_H_SET_UNIT = 1000000 };

typedef struct ic_h_set {
    /* c, u and s */
    long centre[2], unstable[2], stable[2];
} ic_h_set;

/** The map from the coordinates of one set to those of another one, less so many turns of the angle. */
typedef struct ic_h_map {
    const ic_planar_map *map;
    const ic_h_set *from, *to;
    long turns;
} ic_h_map;

/** A part of a set: a and b lie between these numbers. */
typedef struct ic_h_piece {
    double a[2], b[2];
} ic_h_piece;

/** Point (a, b) of the set, and the coordinates of a point. */
void ic_h_set_point(arb_ptr point, const ic_h_set *set, const arb_t a, const arb_t b, slong prec);
void ic_h_set_coordinates(arb_ptr ab, const ic_h_set *set, arb_srcptr point, slong prec);

/** Whether the sets are proved to have no point in common. */
bool ic_h_sets_are_disjoint(const ic_h_set *one, const ic_h_set *two);

/**
 * Enclose the image of a piece of `from`, in the coordinates of `to`, and the derivatives of the map between
 * both coordinates on the piece (2 x 2). false: see ic_planar_map; *reason is set.
 */
bool ic_h_map_piece(arb_ptr ab, arb_mat_t derivative, const ic_h_map *h_map, const ic_h_piece *piece,
                    const char **reason);

/** The same at a point, as doubles near the true values; for searches and figures, not for proofs. */
bool ic_h_map_point(double image[2], double derivative[2][2], const ic_h_map *h_map, const double ab[2]);

/**
 * Cut a piece in the direction in which its image is longer; where derivatives are not known (NULL), across its longer side.
 */
void ic_h_piece_halve(ic_h_piece *low, ic_h_piece *high, const ic_h_piece *piece, const arb_mat_t derivative);
