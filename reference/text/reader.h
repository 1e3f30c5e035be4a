/* SPDX-License-Identifier: MIT */
/** The parts of the reader of case texts. A refusal leaves the reader by longjmp, to ic_text_read. */
#pragma once

#include "reference/text/text.h"

#include <setjmp.h>

/** YAML as a tree: a text, or n items, with keys in a mapping. */
typedef struct ic_text_tree {
    /* NULL: a list or a mapping. */
    const char *text;
    struct ic_text_tree **items;

    /* NULL: no mapping. */
    const char **keys;
    size_t n;
} ic_text_tree;

/** Value of an index of a family, linked to those around it. */
typedef struct ic_text_index {
    const char *name;
    long value;
    const struct ic_text_index *outer;
} ic_text_index;

/** An entry of a mapping whose families are written out. */
typedef struct ic_text_item {
    const char *name;
    const ic_text_tree *value;
    const ic_text_index *indices;

    /* of a definition: its node, if it was read in this scope */
    ic_text_node node;
    int scope;

    /* while it is read */
    bool open;
} ic_text_item;

typedef struct ic_text_list {
    ic_text_item *items;
    size_t n;
} ic_text_list;

/** Names that a formula may use besides parameters and definitions. */
typedef enum ic_text_use {
    IC_TEXT_USE_PARAMETERS,
    IC_TEXT_USE_STATES,
    IC_TEXT_USE_STARTS,
    IC_TEXT_USE_COUNT
} ic_text_use;

typedef struct ic_text_reader {
    /* First, so that a machine is its reader. */
    ic_text_machine machine;

    /* Arguments of ic_text_read. */
    const char *text, *variant;
    const ic_problem *problem;
    ic_error *error;
    jmp_buf refused;

    /* Blocks of memory, each with a pointer to the next. */
    void *blocks;

    /* what `machine` shows */
    ic_text_term *terms;
    size_t terms_room;

    /* numbers of terms by hash */
    ic_text_node *hash;
    size_t hash_size;

    ic_text_parameter *parameters;
    ic_text_state *states;

    /* The file, and the file as the variant has it. */
    const ic_text_tree *file, *root;
    ic_text_list elements;

    ic_text_use use;

    /* Definitions of the file and of the mode. A new number of the scope forgets what was read. */
    ic_text_list definitions, mode_definitions;
    int scope;

    /* Depth of nesting, and atoms of formulas so far. */
    int depth;
    long work;
} ic_text_reader;

__attribute__((noreturn, format(printf, 2, 3))) void ic_text_refuse(ic_text_reader *r, const char *format, ...);

/** n zeroed objects, which last as long as the machine. */
void *ic_text_take(ic_text_reader *r, size_t n, size_t size);

/** A copy of `length` bytes. */
const char *ic_text_copy(ic_text_reader *r, const char *text, size_t length);

ic_text_tree *ic_text_tree_read(ic_text_reader *r, const char *text);

/** The value of a key; NULL if there is none. */
const ic_text_tree *ic_text_get(const ic_text_tree *mapping, const char *key);

/** Whether a tree is this text. */
bool ic_text_equals(const ic_text_tree *tree, const char *text);

/** `base` with the entries of `over` in place of its own; `none` removes one. All entries: in the order of `over`. */
const ic_text_tree *ic_text_merge(ic_text_reader *r, const ic_text_tree *base, const ic_text_tree *over);

/** Nodes. Operations on numbers are computed. */
ic_text_node ic_text_apply(ic_text_reader *r, ic_text_operation operation, ic_text_node a, ic_text_node b,
                           ic_text_node c);
ic_text_node ic_text_leaf(ic_text_reader *r, ic_text_operation operation, int index);
ic_text_node ic_text_number(ic_text_reader *r, const fmpq_t value);
ic_text_node ic_text_integer(ic_text_reader *r, long value);

/** Value of a NUMBER; NULL if the node is none. */
const fmpq *ic_text_number_of(const ic_text_reader *r, ic_text_node node);

/** The result of an operation on numbers (y NULL: on one), where that is a number. */
bool ic_text_fold(fmpq_t value, ic_text_operation operation, const fmpq *x, const fmpq *y);

/** Value of a parameter of a problem; NAN: it has none of this name. */
double ic_text_value_of_problem(const ic_problem *problem, const char *name);

/** Factor of the unit with a name, "mm", to SI units; IC_TEXT_NONE: there is none. */
ic_text_node ic_text_unit(ic_text_reader *r, const char *name);

ic_text_node ic_text_read_formula(ic_text_reader *r, const ic_text_tree *text, const ic_text_index *indices);

/** As ic_text_read_formula, without the factor of the unit, or that of `unit` if the text has none. */
ic_text_node ic_text_read_quantity(ic_text_reader *r, const ic_text_tree *text, const ic_text_index *indices,
                                   const char *unit, ic_text_node *factor);
ic_text_node ic_text_read_condition(ic_text_reader *r, const ic_text_tree *text, const ic_text_index *indices);

/** The entries of a mapping (NULL: none). Keys are names, or texts, "tank [i] full". */
ic_text_list ic_text_entries(ic_text_reader *r, const ic_text_tree *mapping, const ic_text_index *indices);

/** The items of a list, with families written out. */
ic_text_list ic_text_items(ic_text_reader *r, const ic_text_tree *tree, const ic_text_index *indices);

/** The entry of this name; NULL: there is none. */
ic_text_item *ic_text_find(ic_text_list list, const char *name);
