/* SPDX-License-Identifier: MIT */
/**
 * Horseshoes of a map of the plane whose first coordinate is an angle: disjoint h-sets, and covering relations
 * between them (covering.h) that make a graph.
 *
 * Each walk along the graph, endless to both sides, is then the path of an orbit, and each closed walk that of a periodic
 * one. The map has at least the topological entropy log(rho) there, where rho is the spectral radius of the
 * graph's matrix. With cone conditions (cones.h) each walk has exactly one orbit.
 */
#pragma once

#include "reference/orbit/cones.h"
#include "reference/orbit/covering.h"

enum { IC_MOST_H_SETS = 8, IC_MOST_TRANSITIONS = 64 };

/** Set `from` covers set `to`, after so many turns of the angle. */
typedef struct ic_transition {
    int from, to;
    long turns;
} ic_transition;

typedef struct ic_graph {
    const ic_h_set *sets;
    int n_sets;
    const ic_transition *transitions;
    size_t n_transitions;
} ic_graph;

typedef struct ic_horseshoe {
    bool proved;

    /* NULL, or a constant text: what is not proved */
    const char *reason;

    /* of which transition; n_transitions: of none */
    size_t failed;

    ic_covering coverings[IC_MOST_TRANSITIONS];

    /* pieces of all transitions, and their least margins */
    size_t pieces;
    double edge_margin, side_margin;

    /* also: each orbit that stays in the sets follows a walk */
    bool complete;

    /* lower bound of rho: positive entropy if it is above 1 */
    double growth;

    /* the cone conditions of all transitions, their pieces, and the least stretch */
    bool unique;
    ic_cones cones[IC_MOST_TRANSITIONS];
    size_t cone_pieces;
    double stretch;
} ic_horseshoe;

void ic_horseshoe_prove(ic_horseshoe *horseshoe, const ic_planar_map *map, const ic_graph *graph);

/** Then prove the cone conditions, each with the same weight; `reason` and `failed` as above. */
void ic_horseshoe_prove_cones(ic_horseshoe *horseshoe, const ic_planar_map *map, const ic_graph *graph,
                              int weight);

/** The map along a transition. */
ic_h_map ic_graph_map(const ic_planar_map *map, const ic_graph *graph, size_t transition);

/** A lower bound of the spectral radius, by Collatz and Wielandt: with positive x, rho >= min (A x)_i/x_i. */
double ic_graph_growth(const ic_graph *graph);

/** The number of closed walks of n steps: the trace of the matrix's power. */
unsigned long ic_graph_closed_walks(const ic_graph *graph, int n);
