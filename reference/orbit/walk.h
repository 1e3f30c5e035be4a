/* SPDX-License-Identifier: MIT */
/**
 * Periodic orbits along closed walks of a graph (horseshoe.h), found by Newton's method in doubles, without proof: as a
 * check of the horseshoe that needs none of its conditions, and for figures.
 */
#pragma once

#include "reference/orbit/horseshoe.h"

enum { IC_LONGEST_WALK = 16 };

typedef struct ic_walk {
    /* steps, as numbers of transitions */
    int n;
    size_t steps[IC_LONGEST_WALK];

    /* by step: the point that it starts from, in the coordinates of its set */
    double ab[IC_LONGEST_WALK][2];
} ic_walk;

/** The first closed walk of n steps, and the one after that. false: there is none. */
bool ic_walk_first(ic_walk *walk, const ic_graph *graph, int n);
bool ic_walk_next(ic_walk *walk, const ic_graph *graph);

/** Find the orbit from the present points. false: Newton's method does not converge. */
bool ic_walk_solve(ic_walk *walk, const ic_planar_map *map, const ic_graph *graph);

/** Whether all points lie in their sets. */
bool ic_walk_is_inside(const ic_walk *walk);
