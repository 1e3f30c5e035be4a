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
#pragma once

#include "casefile/dimension.h"
#include "casefile/faults.h"
#include "casefile/graph.h"

/** A quantity: its node, and its dimension. */
typedef struct ic_term {
    ic_node node;

    ic_dimension dimension;
} ic_term;

/** Value of an index of a family, linked to the indices of the families around it. */
typedef struct ic_index {
    const char *name;
    int value;
    const struct ic_index *outer;
} ic_index;

/** Result of the search for a name. */
typedef enum ic_name_found {
    IC_NAME_KNOWN,

    /* The name does not exist. */
    IC_NAME_UNKNOWN,

    /* A fault was added. */
    IC_NAME_WRONG,
} ic_name_found;

/** The scope of a formula: the names that it may use. */
typedef struct ic_scope {
    ic_graph *graph;

    ic_faults *faults;

    /* Finds the quantity of a name. */
    ic_name_found (*find)(ic_term *term, const char *name, ic_file_place place, void *context);

    /* Fills `names` with names that may have been meant. Returns their number. */
    size_t (*list)(const char **names, size_t room, void *context);

    /*
     * Value of a node without time, states and inputs, for the values of the parameters. NAN: it
     * depends on more.
     */
    double (*constant)(ic_node node, void *context);

    /*
     * Value of a node that consists of numbers, and parameters on which sizes of families depend: it is the
     * same in all of this case. false: it depends on more.
     */
    bool (*fixed)(double *value, ic_node node, void *context);

    /*
     * Value of a parameter with an integer value, for ranges and indices. false: it does not exist.
     */
    bool (*integer)(int *value, const char *name, void *context);

    /*
     * Whether only events change the value of a node: it depends on discrete states and parameters
     * alone.
     */
    bool (*discrete)(ic_node node, void *context);

    /*
     * First and last value of an index that the section `indices` declares. false: it does not
     * exist.
     */
    bool (*range)(int *first, int *last, const char *name, void *context);

    void *context;

    const ic_index *indices;

    /* Number of atoms that may still be read: a limit on families within families. */
    long *work;

    /*
     * Depth of nesting at which a formula is read: a definition is read inside the formula that
     * uses it first.
     */
    int *depth;
} ic_scope;

/** Whether a word has a meaning of its own in formulas: a function, a constant, or a key word. */
bool ic_formula_reserved(const char *word);

/** Read a formula. false: faults were added. */
bool ic_formula_read(ic_term *term, const ic_yaml *text, const ic_scope *scope);

/**
 * Read a formula that must have a given dimension. `what` names the quantity in a fault: "the rate
 * of v".
 */
bool ic_formula_read_as(ic_node *node, const ic_yaml *text, const ic_dimension *dimension, const char *what,
                        const ic_scope *scope);

/** Read a condition. The node is > 0 where the condition holds. */
bool ic_condition_read(ic_node *node, const ic_yaml *text, const ic_scope *scope);

/** Read the key of a family, "for i in 1..N". false: a fault was added. */
bool ic_family_read(const char **name, int *first, int *last, const ic_yaml *text, const ic_scope *scope);

/** Replace the indices in a name: "x[i+1]" becomes "x2". NULL: faults were added. */
const char *ic_name_read(const ic_yaml *text, const ic_scope *scope);

/**
 * Replace the indices in a text: "stop [i] opens" becomes "stop 2 opens". NULL: faults were added.
 */
const char *ic_indexed_text(const ic_yaml *text, const ic_scope *scope);
