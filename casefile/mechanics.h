/* SPDX-License-Identifier: MIT */
/** What the files of elements share: elements.c, contact.c. */
#ifndef IC_CASEFILE_MECHANICS_H
#define IC_CASEFILE_MECHANICS_H

#include "casefile/elements.h"

/** The most stops and frictions of a case. */
enum { IC_MOST_CONSTRAINTS = 40 };

/** Something that can hold a velocity at zero: a stop, or friction. */
typedef struct ic_constraint {
    ic_element *element;

    /* w, dw/dt along the flow without constraints, and dw/dx */
    ic_node velocity, acceleration, gradient[IC_MAX_STATES];

    /* change of the state's rate per unit of force */
    ic_node push[IC_MAX_STATES];

    /* 1 if it acts, else 0 */
    ic_node active;

    /* the distance; friction: the slip */
    ic_term gap;

    ic_node force;
} ic_constraint;

/** The elements of one mode. */
typedef struct ic_mechanics {
    ic_case_reader *r;
    ic_node *flow;
    ic_constraint constraints[IC_MOST_CONSTRAINTS];
    size_t n;
    ic_element_guards *guards;
} ic_mechanics;

/** The discrete state of an element, as a node. */
ic_node ic_element_state(const ic_case_reader *r, const ic_element *e);

/** Read a formula of an element's section; a fault is added if there is none. */
bool ic_element_part(ic_case_reader *r, const ic_element *e, const char *key, ic_term *term);

/** Set gradient and push of a constraint whose velocity is given: by `pushes`, or by the mass matrix. */
bool ic_constraint_mechanics(ic_mechanics *m, ic_constraint *c, ic_term velocity);

/** The rate of a quantity along the flow. */
ic_term ic_term_rate(const ic_mechanics *m, const ic_term *term);

/** The states as they are; NULL: memory ran out. */
ic_node *ic_same_states(const ic_case_reader *r);

/** A node of the state, at the state given. */
ic_node ic_at_states(const ic_case_reader *r, ic_node node, const ic_node *states);

/** Add a guard of the element's name and a suffix. */
ic_element_guard *ic_element_add_guard(ic_mechanics *m, const ic_element *e, const char *suffix,
                                       const char *meaning, int direction, ic_term value);

/** Add an outcome to a guard; `condition` may be IC_NO_NODE. */
ic_element_branch *ic_element_add_branch(ic_element_guard *g, ic_node condition, ic_node *states);

/** Declare what a contact needs besides its discrete state: memory, set of the surface. */
bool ic_declare_contact(ic_case_reader *r, ic_element *e, ic_file_place place);

/** Add the parameters of the contact's law that the case does not have. */
bool ic_declare_law(ic_case_reader *r, const ic_element *e);

/** Add a contact's force to the flow, and its guards. */
bool ic_apply_contact(ic_mechanics *m, ic_element *e);

#endif
