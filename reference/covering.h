/* SPDX-License-Identifier: MIT */
/**
 * Covering relations of a map of the plane, proved by subdivision in ball arithmetic
 * (P. Zgliczynski and M. Gidea, J. Differential Equations 202 (2004) 32-58; one direction of expansion).
 *
 * An h-set is a parallelogram with coordinates (a, b): all points c + a u + b s with |a| <= 1, |b| <= 1. Its
 * left and right edges are a = -1 and a = 1. N covers M by f if f is continuous on N and
 *
 *     f maps one of these edges of N to a < -1 and the other one to a > 1, in the coordinates of M;
 *     each point of f(N) has |a| > 1 or |b| < 1 there.
 *
 * Theorem: along each chain of sets that cover each other there is an orbit that visits them one after
 * the other, and along each closed chain a periodic one.
 */
#ifndef IC_REFERENCE_COVERING_H
#define IC_REFERENCE_COVERING_H

#include "reference/ball.h"

#include <arb_mat.h>

#include <stdbool.h>
#include <stddef.h>

/** A map of the plane; its first coordinate may be an angle. */
typedef struct ic_planar_map {
    /*
     * Encloses the image of each point of the box `start` (2 balls), and the derivatives there (2 x 2). false: the
     * map is not proved to be smooth on the box; *reason is a constant text.
     */
    bool (*image)(arb_ptr image, arb_mat_t derivative, const void *of, arb_srcptr start, const char **reason);
    const void *of;
    slong prec;
} ic_planar_map;

/** Vectors of h-sets are exact, in millionths. */
enum { IC_H_SET_UNIT = 1000000 };

typedef struct ic_h_set {
    /* c, u and s */
    long centre[2], unstable[2], stable[2];
} ic_h_set;

typedef struct ic_covering {
    /* Whether it is proved; NULL, or a constant text: what is not. */
    bool proved;
    const char *reason;

    /* the left edge of N is mapped to the right */
    bool turned;

    /* parts into which N and its edges were cut */
    size_t pieces;

    /* proved lower bounds, in the coordinates of M: of |a| - 1 for both edges, of max(|a| - 1, 1 - |b|) for N */
    double edge_margin, side_margin;
} ic_covering;

/** Point (a, b) of the set, and the coordinates of a point. */
void ic_h_set_point(arb_ptr point, const ic_h_set *set, const arb_t a, const arb_t b, slong prec);
void ic_h_set_coordinates(arb_ptr ab, const ic_h_set *set, arb_srcptr point, slong prec);

/** Whether the sets are proved to have no point in common. */
bool ic_h_sets_are_disjoint(const ic_h_set *one, const ic_h_set *other);

/** Prove that `from` covers `to` by the map whose first coordinate is diminished by 2 pi `turns`. */
ic_covering ic_cover(const ic_planar_map *map, const ic_h_set *from, const ic_h_set *to, long turns);

#endif
