/* SPDX-License-Identifier: MIT */
/**
 * Elements with a discrete state of their own: rigid stops, dry friction, switches, delays, and the
 * kinks of formulas. Their states are components of the state vector that only events change, so
 * that the mode of a run is the combination of theirs and is never enumerated.
 */
#ifndef IC_CASEFILE_ELEMENTS_H
#define IC_CASEFILE_ELEMENTS_H

#include "casefile/reader.h"

/** An outcome of an event of an element. */
typedef struct ic_element_branch {
    /* taken if > 0; IC_NO_NODE: always */
    ic_node condition;

    ic_node *states;

    /* it takes away the rounding of a velocity that is zero */
    bool rounding;

    /* guard of the mode's element guards that starts at a zero, its order and side; -1: none */
    int departs, order, side;
} ic_element_branch;

enum { IC_ELEMENT_BRANCHES = 4 };

/** A guard that an element adds to a mode. */
typedef struct ic_element_guard {
    const char *name, *meaning;

    int direction;
    ic_onset onset;

    ic_term value;

    ic_element_branch branches[IC_ELEMENT_BRANCHES];
    size_t n_branches;

    /* the state at the limit of infinitely many firings; NULL: none */
    ic_node *limit;
} ic_element_guard;

/** The guards of all elements in one mode. */
typedef struct ic_element_guards {
    ic_element_guard *guards;
    size_t n;
} ic_element_guards;

/** Declare the elements of a case: their discrete states follow the other states. */
bool ic_read_elements(ic_case_reader *r);

/** Add the parameters of the contacts' laws in the variant that is the reader's root. */
bool ic_declare_laws(ic_case_reader *r);

/** Add to the flow of a mode what the elements do, and list their guards. */
bool ic_apply_elements(ic_case_reader *r, ic_node *flow, ic_element_guards *guards);

/** Whose jump it is; one that takes away the rounding of a velocity changes no other element's. */
typedef enum ic_settling { IC_SETTLE_START, IC_SETTLE_FILE, IC_SETTLE_ELEMENT, IC_SETTLE_ROUNDING } ic_settling;

/** Set the elements' states after a jump: `states` are nodes of the state after it. */
bool ic_settle_elements(ic_case_reader *r, ic_node *states, ic_settling by);

/** Declare a discrete state for every kink of a flow that has none yet. */
bool ic_find_kinks(ic_case_reader *r, const ic_node *flow, size_t n);

#endif
