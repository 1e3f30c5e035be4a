/* SPDX-License-Identifier: MIT */
/**
 * What a function need not compute at each call: what depends on parameters alone is computed once
 * for a set of parameters, K[0], K[1], ..., and sums of such constants times states, which are rows of
 * a matrix times a vector, in loops, D[0], D[1], ... Both change no bit.
 */
#ifndef IC_CASEFILE_HOIST_H
#define IC_CASEFILE_HOIST_H

#include "casefile/graph.h"

/**
 * `rows` sums of `columns` terms: D[first + i] is the sum over j of K[constant + j rows + i]
 * x[state + j stride].
 */
typedef struct ic_product {
    int first, rows, columns, constant, state, stride;
} ic_product;

typedef struct ic_hoist {
    /* nodes are a copy, in which CONSTANT and PRODUCT stand for what one function need not compute */
    ic_graph graph;
    const ic_graph_node *original;

    /* the constants of all functions so far, in the order of K */
    ic_node *constants;
    size_t n_constants;

    /* of the function that is open */
    ic_product *products;
    size_t n_products;
    int n_rows;
    bool uses_constants;

    /* by node: 1 + its place in K, or 0; whether the open function reaches it; the nodes changed */
    int *places;
    unsigned char *marks;

    /* whether it needs a function outside of the graph */
    bool *outside;

    ic_node *changed;
    size_t n_changed;

    /* the sums of a product, while it is found */
    ic_node *heads;

    /* of what follows; the graph's own is for the copy's users */
    ic_arena arena;

    /* products of all functions so far: their constants are found again */
    struct known_product *known;
    size_t n_known;
} ic_hoist;

/** Begin with a graph. false: memory ran out. */
bool ic_hoist_begin(ic_hoist *h, const ic_graph *graph, ic_arena *arena);

/** Open a function with these results. false: memory ran out. */
bool ic_hoist_open(ic_hoist *h, const ic_node *nodes, size_t n);

/** Close it: the copy is as the graph was. */
void ic_hoist_close(ic_hoist *h);

void ic_hoist_free(ic_hoist *h);

#endif
