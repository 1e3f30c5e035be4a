/* SPDX-License-Identifier: MIT */
/**
 * Expressions as a graph in which equal sub-expressions are one node. A node's operands have smaller
 * numbers than the node itself, so that evaluating nodes in order of their numbers is always right.
 */
#ifndef IC_CASEFILE_GRAPH_H
#define IC_CASEFILE_GRAPH_H

#include "casefile/arena.h"
#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stddef.h>

/** Number of a node; IC_NO_NODE: memory ran out, or an operand was IC_NO_NODE. */
typedef int ic_node;

#define IC_NO_NODE (-1)

/**
 * CONSTANT, PRODUCT: see casefile/hoist.h. CALL: a function outside of the graph, of a, b and both
 * operands of c, which is a PAIR.
 */
typedef struct ic_graph_node {
    ic_operation operation;

    /* operands; IC_NO_NODE if there are fewer */
    ic_node a, b, c;

    /* STATE, PARAMETER, INPUT, CALL: its index */
    int index;

    /* NUMBER: its value, rounded */
    double number;

    /* NUMBER: as written; exact */
    const char *text;

    /* NUMBER: whole, and small enough to be computed with */
    bool whole;

    /* of a form that the expressions of the public header have: affine in the states, sin and cos of time */
    bool affine;

    /* most operations from here to a leaf */
    int depth;

    /* whether the value may vary with time, state or input: bits IC_VARIES_... */
    unsigned varies;
} ic_graph_node;

enum { IC_VARIES_TIME = 1u, IC_VARIES_STATE = 2u, IC_VARIES_INPUT = 4u };

/** A function outside of the graph, of four operands and the parameters. */
typedef struct ic_external {
    double (*call)(const double operands[4], const double *par, const void *object);

    /* handed to `call` */
    const void *object;

    /* number of the first parameter that it receives */
    size_t first_parameter;

    /* the call as C, in which a, b, c and d stand for the operands, and L for the address of `symbol` */
    const char *form, *symbol;

    /* by this function its derivative along a flow is computed; -1: it is 0 */
    int rate;

    /* of the same operands; of a, b, db/dt and d; or db/da, which is multiplied by da/dt */
    enum { IC_RATE_OF_ALL, IC_RATE_WITH_SECOND, IC_RATE_BY_FIRST } rule;
} ic_external;

/** Of a derivative or substitution: results by node, valid where the stamp is the newest. */
typedef struct ic_graph_memo {
    ic_node *results;
    unsigned *stamps, stamp;
    size_t size;
} ic_graph_memo;

typedef struct ic_graph {
    ic_arena *arena;

    ic_external *externals;
    size_t n_externals;

    ic_graph_node *nodes;
    size_t n_nodes;

    /* small integers: node + 1 of 0, 1, 2, ..., or 0 */
    int integers[32];

    /* open addressing: node + 1, or 0; a power of two */
    int *table;
    size_t table_size;

    ic_graph_memo memo;
    ic_node *stack;
    size_t stack_size;
} ic_graph;

/** The most nodes of a graph, and the longest way from a node to a leaf: some functions follow it by recursion. */
enum { IC_GRAPH_NODES = 400000, IC_GRAPH_DEPTH = 5000 };

/** Number of operands of an operation. */
int ic_operation_operands(ic_operation operation);

/** Name of an operation in a case file, "" if it has none; and the operation of a name, or -1. */
const char *ic_operation_word(ic_operation operation);
int ic_operation_find(const char *word);

/** A number as written: "0.1", "5.06e5". The text is copied. */
ic_node ic_graph_number(ic_graph *g, const char *text);

/** A small integer. */
ic_node ic_graph_integer(ic_graph *g, int value);

/** PI, TIME. */
ic_node ic_graph_leaf(ic_graph *g, ic_operation operation);

/** STATE, PARAMETER, INPUT number `index`. */
ic_node ic_graph_indexed(ic_graph *g, ic_operation operation, int index);

/**
 * Apply an operation. Only what changes no bit is simplified: x + 0, 1 x, 0 x, --x, x^1, and sums
 * and products of small integers.
 */
ic_node ic_graph_apply(ic_graph *g, ic_operation operation, ic_node a, ic_node b, ic_node c);

/** A call of external function number `external`, of four operands. */
ic_node ic_graph_call(ic_graph *g, int external, const ic_node operands[4]);

/** Shorthand for two operands and for one. */
ic_node ic_graph_two(ic_graph *g, ic_operation operation, ic_node a, ic_node b);
ic_node ic_graph_one(ic_graph *g, ic_operation operation, ic_node a);

/** Whether a node is the number `value`. */
bool ic_graph_is(const ic_graph *g, ic_node node, double value);

/** Partial derivative with respect to a leaf: TIME, or a STATE or INPUT. SIGN, STEP: 0. */
ic_node ic_graph_derivative(ic_graph *g, ic_node node, ic_node leaf);

/**
 * Derivative along a flow: d/dt + sum_i rates[i] d/dx_i, for n states.
 */
ic_node ic_graph_rate(ic_graph *g, ic_node node, const ic_node *rates, size_t n);

/** A node in which nodes are replaced: replacements[i] takes the place of replaced[i]. */
ic_node ic_graph_substitute(ic_graph *g, ic_node node, const ic_node *replaced, const ic_node *replacements,
                            size_t n);

/** The same, with what is known of earlier nodes: `memo.stamp` is to be increased before another substitution. */
ic_node ic_graph_substitute_kept(ic_graph *g, ic_graph_memo *memo, ic_node node, const ic_node *replaced,
                                 const ic_node *replacements, size_t n);

/** Whether a node depends on a leaf. */
bool ic_graph_uses(ic_graph *g, ic_node node, ic_node leaf);

/** The node of least number within a node that has this operation; IC_NO_NODE: none. */
ic_node ic_graph_first(const ic_graph *g, ic_node node, ic_operation operation);

/** Whether some division within a node is by the number 0. */
bool ic_graph_divides_by_zero(const ic_graph *g, ic_node node);

/** The node as text, in the language of case files. NULL: memory ran out. */
char *ic_graph_text(const ic_graph *g, ic_node node, const char *const *states, const char *const *parameters,
                    const char *const *inputs);

#endif
