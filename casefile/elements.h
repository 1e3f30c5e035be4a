/* SPDX-License-Identifier: MIT */
/**
 * Elements with a discrete state of their own: rigid stops, dry friction, contacts, switches,
 * delays, and the kinks of formulas. These states are components of the state vector that only
 * events change. The combinations of their values are therefore not listed as modes.
 */
#pragma once

#include "casefile/reader.h"

/** An outcome of an event of an element. */
typedef struct ic_element_branch {
    /* The branch is taken if this is > 0; IC_NO_NODE: always. */
    ic_node condition;

    ic_node *states;

    /* True if the branch only sets a velocity to exactly zero that rounding has left near zero. */
    bool rounding;

    /* Guard of an element in this mode that starts at a zero, with order and side; -1: none. */
    int departs, order, side;

    /* The guard of another element that starts at a zero and becomes positive, and its order; NULL: none. */
    const int *opens;
    int opens_order;
} ic_element_branch;

/** A guard that an element adds to a mode. */
typedef struct ic_element_guard {
    const char *name, *meaning;

    int direction;
    ic_onset onset;

    ic_term value;

    /* It fires only where this is > 0; IC_NO_NODE: everywhere. */
    ic_node enabled;

    /* In order; friction that breaks may open or close stops, of which each needs branches of its own. */
    ic_element_branch *branches;
    size_t n_branches;

    /* Where they are kept, and one for when memory runs out. */
    ic_arena *arena;
    ic_element_branch spare;

    /* State at the limit of infinitely many firings; NULL: none. */
    ic_node *limit;
} ic_element_guard;

typedef struct ic_element_guards {
    ic_element_guard *guards;
    size_t n;
} ic_element_guards;

/** Declare the elements of a case. Their discrete states come after the other states. */
bool ic_read_elements(ic_case_reader *r);

/** Add the parameters of the contact laws of the variant that is being read (`root`). */
bool ic_declare_laws(ic_case_reader *r);

/** Add the forces of the elements to the flow of a mode, and list their guards. */
bool ic_apply_elements(ic_case_reader *r, ic_node *flow, ic_element_guards *guards);

/**
 * Origin of a jump. A jump that only removes the rounding of a velocity changes no other element.
 */
typedef enum ic_settling { IC_SETTLE_START, IC_SETTLE_FILE, IC_SETTLE_ELEMENT, IC_SETTLE_ROUNDING } ic_settling;

/**
 * Set the discrete states of elements after a jump. `states` are nodes of the state after the jump.
 */
bool ic_settle_elements(ic_case_reader *r, ic_node *states, ic_settling by);

/** Declare a discrete state for every kink of a flow that does not have one yet. */
bool ic_find_kinks(ic_case_reader *r, const ic_node *flow, size_t n);
