/* SPDX-License-Identifier: MIT */
/**
 * Reads formulas of case files into a graph, and checks their units.
 *
 *     condition:  all {or all}
 *     all:        single {and single}
 *     single:     comparison | (condition)
 *     comparison: sum (<|<=|>|>=) sum
 *     sum:        product {(+|-) product}
 *     product:    power {(*|/) power}
 *     power:      -power | atom [^ exponent]
 *     atom:       number [power] | name ['[' index {, index} ']'] | function(arguments) | (sum)
 *
 * As in the expressions of the public header, 2x^2 is 2*(x^2), and 1/2x is refused as ambiguous.
 * q[r] is the name q followed by the value of r: q1, q2, ...; A[i, j] is A1_2.
 */
#ifndef IC_CASEFILE_FORMULA_H
#define IC_CASEFILE_FORMULA_H

#include "casefile/dimension.h"
#include "casefile/faults.h"
#include "casefile/graph.h"

/** A quantity: its node, and its dimension. */
typedef struct ic_term {
    ic_node node;

    ic_dimension dimension;
} ic_term;

/** Value of an index of a family, and those around it. */
typedef struct ic_index {
    const char *name;
    int value;
    const struct ic_index *outer;
} ic_index;

/** What became of a name. */
typedef enum ic_name_found {
    IC_NAME_KNOWN,

    /* there is none */
    IC_NAME_UNKNOWN,

    /* a fault was added */
    IC_NAME_WRONG,
} ic_name_found;

/** What a formula may use. */
typedef struct ic_scope {
    ic_graph *graph;

    ic_faults *faults;

    /* fills the quantity of a name */
    ic_name_found (*find)(ic_term *term, const char *name, ic_file_place place, void *context);

    /* fills `names` with names that could have been meant; returns how many */
    size_t (*list)(const char **names, size_t room, void *context);

    /* value of a node without time, states and inputs, with the parameters' values; NAN: none */
    double (*constant)(ic_node node, void *context);

    /* value of an integer parameter, for ranges and indices; false: there is none of this name */
    bool (*integer)(int *value, const char *name, void *context);

    /* whether only events change a node: it depends on discrete states and parameters */
    bool (*discrete)(ic_node node, void *context);

    /* first and last value of an index that was declared for the whole case */
    bool (*range)(int *first, int *last, const char *name, void *context);

    void *context;

    const ic_index *indices;

    /* atoms that may still be read: families within families end here */
    long *work;

    /* how deeply nested the place is at which a formula is read: definitions are read where they are used */
    int *depth;
} ic_scope;

/** Read a formula. false: faults were added. */
bool ic_formula_read(ic_term *term, const ic_yaml *text, const ic_scope *scope);

/**
 * Read a formula that has to have a dimension; `what` names the quantity in the fault: "the rate of
 * v".
 */
bool ic_formula_read_as(ic_node *node, const ic_yaml *text, const ic_dimension *dimension, const char *what,
                        const ic_scope *scope);

/** Read a condition: a node that is > 0 where the condition holds. */
bool ic_condition_read(ic_node *node, const ic_yaml *text, const ic_scope *scope);

/** Read the head of a family, "for i in 1..N". false: a fault was added. */
bool ic_family_read(const char **name, int *first, int *last, const ic_yaml *text, const ic_scope *scope);

/** Read a name with its indices, "x[i+1]", into the plain name "x2". NULL: faults were added. */
const char *ic_name_read(const ic_yaml *text, const ic_scope *scope);

/** A text with indices, "stop [i] opens", into "stop 2 opens". NULL: faults were added. */
const char *ic_indexed_text(const ic_yaml *text, const ic_scope *scope);

#endif
