/* SPDX-License-Identifier: MIT */
/**
 * Cone conditions of covering relations (P. Zgliczynski, J. Differential Equations 246 (2009) 1774-1819; H. Kokubu,
 * D. Wilczak and P. Zgliczynski, Nonlinearity 20 (2007) 2147-2174): with them the orbit of a chain is
 * unique.
 *
 * For two points of N that f maps into M, let (a, b) be the difference of their coordinates in N, and (A, B) that of
 * their images in M. The condition is
 *
 *     A^2 - k B^2 > a^2 - k b^2    unless a = b = 0.
 *
 * Along a closed chain this number would return to itself: so there is one periodic orbit. It follows from the same
 * inequality for the linear map (A, B) = D (a, b), for each D in the hull of the derivatives on a convex part of N that
 * contains all such points.
 */
#pragma once

#include "reference/orbit/h_set.h"

#include <stddef.h>

typedef struct ic_cones {
    /* Whether the condition is proved; NULL, or a constant text: what is not. */
    bool proved;
    const char *reason;

    /* a lower bound of |dA/da| there, and the number of pieces */
    double stretch;
    size_t pieces;
} ic_cones;

/** Prove the condition with k = `weight`, where all points that are mapped into M have `enters` <= a <= `leaves`. */
ic_cones ic_cones_prove(const ic_h_map *h_map, double enters, double leaves, int weight);
