/* SPDX-License-Identifier: MIT */
/**
 * Moves computations out of functions. Values that depend on parameters alone are computed once for
 * a set of parameters: K[0], K[1], ... Sums of such constants times states, which are rows of a
 * matrix times a vector, are computed in loops: D[0], D[1], ... Neither changes any bit of the
 * results.
 */
#pragma once

#include "casefile/graph.h"

/**
 * A product of `rows` sums of `columns` terms: D[first + i] is the sum over j of K[constant + j
 * rows + i] x[state + j stride].
 */
typedef struct ic_product {
    int first, rows, columns, constant, state, stride;
} ic_product;

typedef struct ic_hoist {
    /*
     * A copy of the graph. In the open function, CONSTANT and PRODUCT replace nodes that the
     * function does not compute.
     */
    ic_graph graph;
    const ic_graph_node *original;

    /* Constants of all functions so far, in the order of K. */
    ic_node *constants;
    size_t n_constants;

    /* Products of the open function, their number of rows, and whether the function uses K. */
    ic_product *products;
    size_t n_products;
    int n_rows;
    bool uses_constants;

    /* by node: 1 + its index in K, or 0 */
    int *places;

    /* by node: whether the open function reaches it */
    unsigned char *marks;

    /* By node: whether it depends on an external function. */
    bool *outside;

    ic_node *changed;
    size_t n_changed;

    /* The sums of the product that is being collected. */
    ic_node *heads;

    /*
     * Memory of the fields below and of `constants`. The arena of `graph` belongs to the users of
     * the copy.
     */
    ic_arena arena;

    /* Products of all functions so far, so that equal products share constants. */
    struct known_product *known;
    size_t n_known;
} ic_hoist;

/** Begin with a copy of a graph. false: memory ran out. */
bool ic_hoist_begin(ic_hoist *h, const ic_graph *graph, ic_arena *arena);

/** Open a function with these results: replace nodes in the copy. false: memory ran out. */
bool ic_hoist_open(ic_hoist *h, const ic_node *nodes, size_t n);

/** Close the function: restore the copy. */
void ic_hoist_close(ic_hoist *h);

void ic_hoist_free(ic_hoist *h);
