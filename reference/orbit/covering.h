/* SPDX-License-Identifier: MIT */
/**
 * Covering relations of a map of the plane, proved by subdivision in ball arithmetic
 * (P. Zgliczynski and M. Gidea, J. Differential Equations 202 (2004) 32-58; one direction of expansion).
 *
 * The h-set N covers the h-set M by f if f is continuous on N and
 *
 *     f maps one of these edges of N to a < -1 and the other one to a > 1, in the coordinates of M;
 *     each point of f(N) has |a| > 1 or |b| < 1 there.
 *
 * Theorem: along each chain of sets that cover each other there is an orbit that visits them one after
 * the other, and along each closed chain a periodic one.
 */
#pragma once

#include "reference/orbit/h_set.h"

#include <stddef.h>

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

    /* the part of N, as a, which holds all points that are mapped into M */
    double enters, leaves;

    /* bounds of the first coordinate of f(N), less the turns */
    double lowest, highest;
} ic_covering;

/** Prove that `from` covers `to`. */
ic_covering ic_cover(const ic_h_map *h_map);
