/* SPDX-License-Identifier: MIT */
/**
 * Expressions as a graph in which equal sub-expressions are one node. Operands have smaller numbers
 * than their node, so that nodes can be evaluated in the order of their numbers.
 */
#pragma once

#include "casefile/arena.h"
#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stddef.h>

/** Number of a node; IC_NO_NODE: memory ran out, or an operand was IC_NO_NODE. */
typedef int ic_node;

#define IC_NO_NODE (-1)

/**
 * A node. CONSTANT, PRODUCT: see casefile/hoist.h. CALL: an external function of a, b and the two
 * operands of c, which is a PAIR.
 */
typedef struct ic_graph_node {
    ic_operation operation;

    /* Operands; IC_NO_NODE for operands that the operation does not have. */
    ic_node a, b, c;

    /* STATE, PARAMETER, INPUT, CALL: the index. */
    int index;

    /* NUMBER: the value, rounded. */
    double number;

    /*
     * NUMBER: the exact text as written. For a number of a built-in table, digits and the name of the
     * exact value: "1.8751040687119611 cantilever_lambda(1)", which is that of the absolute value.
     */
    const char *text;

    /* NUMBER: true if it is a small integer, with which the graph computes exactly. */
    bool whole;

    /*
     * True if the node is affine in the states, with sines and cosines of time, as expressions of
     * the public header are.
     */
    bool affine;

    /* Greatest number of operations between this node and a leaf. */
    int depth;

    /* Variables on which the value may depend: bits IC_VARIES_... */
    unsigned varies;
} ic_graph_node;

enum { IC_VARIES_TIME = 1u, IC_VARIES_STATE = 2u, IC_VARIES_INPUT = 4u };

/** An external function, which takes four operands and the parameters. */
typedef struct ic_external {
    double (*call)(const double operands[4], const double *par, const void *object);

    /* Passed to `call`. */
    const void *object;

    /* Number of the first parameter that the function receives. */
    size_t first_parameter;

    /* The call in C: a, b, c and d stand for the operands, L for the address of `symbol`. */
    const char *form, *symbol;

    /*
     * Number of the external function that computes the derivative along a flow; -1: the derivative
     * is 0.
     */
    int rate;

    /*
     * Operands of that function: all four; or a, b, db/dt and d; or those of db/da, which is then
     * multiplied by da/dt.
     */
    enum { IC_RATE_OF_ALL, IC_RATE_WITH_SECOND, IC_RATE_BY_FIRST } rule;
} ic_external;

/** Results of a derivative or substitution by node, valid if the node has the newest stamp. */
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

    /* Nodes of the small integers: 1 + the number of the node, or 0 if it does not exist yet. */
    int integers[32];

    /*
     * Hash table with open addressing: 1 + the number of a node, or 0. Its size is a power of two.
     */
    int *table;
    size_t table_size;

    ic_graph_memo memo;

    /* derivatives are those of tangents */
    bool at_contacts;
    ic_node *stack;
    size_t stack_size;
} ic_graph;

/**
 * Greatest number of nodes of a graph, and greatest depth of a node; some functions recurse over
 * the depth.
 */
enum { IC_GRAPH_NODES = 400000, IC_GRAPH_DEPTH = 5000 };

int ic_operation_operands(ic_operation operation);

/**
 * Name of an operation in case files, or "" if it has none; and the operation with a name, or -1.
 */
const char *ic_operation_word(ic_operation operation);
int ic_operation_find(const char *word);

/** Add a number as written: "0.1", "5.06e5". The text is copied. */
ic_node ic_graph_number(ic_graph *g, const char *text);

/** Add a small integer. */
ic_node ic_graph_integer(ic_graph *g, int value);

/** Add a leaf: PI or TIME. */
ic_node ic_graph_leaf(ic_graph *g, ic_operation operation);

/** Add STATE, PARAMETER or INPUT number `index`. */
ic_node ic_graph_indexed(ic_graph *g, ic_operation operation, int index);

/**
 * Add an operation. Simplifications are limited to those that change no bit: x + 0, 1 x, 0 x, --x,
 * x^1, and sums and products of small integers.
 */
ic_node ic_graph_apply(ic_graph *g, ic_operation operation, ic_node a, ic_node b, ic_node c);

/** Add a call of external function number `external` with four operands. */
ic_node ic_graph_call(ic_graph *g, int external, const ic_node operands[4]);

/** Add an operation with two operands, or with one. */
ic_node ic_graph_two(ic_graph *g, ic_operation operation, ic_node a, ic_node b);
ic_node ic_graph_one(ic_graph *g, ic_operation operation, ic_node a);

/** Whether a node is the number `value`. */
bool ic_graph_is(const ic_graph *g, ic_node node, double value);

/**
 * Partial derivative with respect to a leaf (TIME, a STATE or an INPUT). The derivative of SIGN and
 * STEP is 0.
 */
ic_node ic_graph_derivative(ic_graph *g, ic_node node, ic_node leaf);

/** Derivative along a flow of n states: d/dt + sum_i rates[i] d/dx_i. */
ic_node ic_graph_rate(ic_graph *g, ic_node node, const ic_node *rates, size_t n);

/** Derivative at a fixed time, where n states and all parameters change by these nodes. */
ic_node ic_graph_along(ic_graph *g, ic_node node, const ic_node *states, size_t n, const ic_node *parameters);

/** Substitute: replace node replaced[i] by replacements[i] wherever it occurs in `node`. */
ic_node ic_graph_substitute(ic_graph *g, ic_node node, const ic_node *replaced, const ic_node *replacements,
                            size_t n);

/**
 * The same with results kept in `memo` for further nodes. Increase `memo.stamp` before a different
 * substitution.
 */
ic_node ic_graph_substitute_kept(ic_graph *g, ic_graph_memo *memo, ic_node node, const ic_node *replaced,
                                 const ic_node *replacements, size_t n);

/** Whether a node depends on a leaf. */
bool ic_graph_uses(ic_graph *g, ic_node node, ic_node leaf);

/** By node up to `node`: whether that depends on it. The array is the caller's; NULL: memory ran out. */
bool *ic_graph_parts(const ic_graph *g, ic_node node);

/** Set, by node up to `last`, whether it depends on a leaf. */
void ic_graph_mark(const ic_graph *g, bool *marks, ic_node last, ic_node leaf);

/**
 * The node with this operation that has the least number among those on which `node` depends;
 * IC_NO_NODE: none.
 */
ic_node ic_graph_first(const ic_graph *g, ic_node node, ic_operation operation);

/** Whether a node contains a division by the number 0. */
bool ic_graph_divides_by_zero(const ic_graph *g, ic_node node);

/** The node as text, in the language of case files. NULL: memory ran out. */
char *ic_graph_text(const ic_graph *g, ic_node node, const char *const *states, const char *const *parameters,
                    const char *const *inputs);
