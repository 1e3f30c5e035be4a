/* SPDX-License-Identifier: MIT */
/** Types and functions that elements.c and contact.c share. */
#pragma once

#include "casefile/elements.h"

/** Greatest number of stops and frictions of a case. */
enum { IC_MOST_CONSTRAINTS = 40 };

/** A constraint can hold a velocity w at zero: a stop or friction. */
typedef struct ic_constraint {
    ic_element *element;

    /* w, dw/dt along the flow without constraints, and dw/dx. */
    ic_node velocity, acceleration, gradient[IC_MAX_STATES];

    /* Change of the rates of states per unit of force. */
    ic_node push[IC_MAX_STATES];

    /* 1 if the constraint is active, otherwise 0. */
    ic_node active;

    /* Stop: the distance. Friction: the slip. */
    ic_term gap;

    ic_node force;

    /* The force as an unknown in flows along zeros of kinks whose rates it changes; IC_NO_NODE: it changes none. */
    ic_node unknown;

    /* Its first guard: that of the gap of a stop, that of the slip of friction. */
    int guard;

    /* Stop: its restitution. Friction: its greatest forces, where bodies slip and where they stick. */
    ic_node restitution, kinetic, sticking;
} ic_constraint;

/**
 * A friction, two frictions, or a friction and another stop that hold the gap of a stop while they stick. With
 * the velocities w_i of these holders its rate is
 *
 *     w = share_0 w_0 + share_1 w_1 + u.
 */
typedef struct ic_hold {
    /* index of the stop among the constraints */
    size_t stop;

    /* those of its n holders, the same twice if there is one */
    size_t n, holder[2];

    ic_node share[2];

    /* 1 if u is 0 throughout, so that the gap is constant while they stick; otherwise 0. */
    ic_node still;

    /* du/dt. */
    ic_node drift;
} ic_hold;

/** The elements of one mode. */
typedef struct ic_mechanics {
    ic_case_reader *r;
    ic_node *flow;
    ic_constraint constraints[IC_MOST_CONSTRAINTS];
    size_t n;
    ic_element_guards *guards;

    ic_hold *holds;
    size_t n_holds;

    /* By kink: what happens along its zero. */
    struct ic_sliding *slides;
} ic_mechanics;

/** The discrete state of an element, as a node. */
ic_node ic_element_state(const ic_case_reader *r, const ic_element *e);

/**
 * Read the formula of a key of an element's section. false: a fault was added, also if the key does
 * not exist.
 */
bool ic_element_part(ic_case_reader *r, const ic_element *e, const char *key, ic_term *term);

/**
 * Set gradient and push of a constraint with the given velocity, from `pushes` or from the mass
 * matrix.
 */
bool ic_constraint_mechanics(ic_mechanics *m, ic_constraint *c, ic_term velocity);

/**
 * Whether the force of an element acts in its direction: that of a stop opens the gap, that of
 * friction acts along the slip, that of a contact acts against the indentation. true also if the
 * effect varies, so that its sign is not known. `wrong` says what a force of the wrong sign does,
 * and `quantity` is the key whose sign may be wrong.
 */
bool ic_check_sign(const ic_mechanics *m, const ic_constraint *c, const char *wrong, const char *quantity);

/** The rate of a quantity along the flow. */
ic_term ic_term_rate(const ic_mechanics *m, const ic_term *term);

/** Nodes of the states themselves, a copy that the caller may change. NULL: memory ran out. */
ic_node *ic_same_states(const ic_case_reader *r);

/** Read the coefficient of restitution of a stop, which is from 0 to 1; default 0. */
bool ic_read_restitution(ic_case_reader *r, const ic_element *e, ic_term *restitution);

/** Add a guard whose name is that of the element followed by a suffix. */
ic_element_guard *ic_element_add_guard(ic_mechanics *m, const ic_element *e, const char *suffix,
                                       const char *meaning, int direction, ic_term value);

/** Add a branch to the jump of a guard; `condition` may be IC_NO_NODE. */
ic_element_branch *ic_element_add_branch(ic_element_guard *g, ic_node condition, ic_node *states);

/**
 * Declare the states of a contact in addition to its discrete state: its memory, and its residual
 * indentation.
 */
bool ic_declare_contact(ic_case_reader *r, ic_element *e, ic_file_place place);

/** Add those parameters of the contact's law that the case does not declare itself. */
bool ic_declare_law(ic_case_reader *r, const ic_element *e);

/**
 * Replace the kinks in the flow by their smooth functions; add the flows along their zeros, with unknown forces of
 * constraints.
 */
bool ic_apply_kinks(ic_mechanics *m);
bool ic_slide_kinks(ic_mechanics *m);

/** Set `rest` of the kinks whose quantity an element holds at zero without their help. false: there is none. */
bool ic_find_rests(ic_mechanics *m);

/** Add the guards of kinks, when the forces of constraints are known. */
bool ic_add_kinks(ic_mechanics *m);

/** Write a node as a constant, which has the sign of `factor`, times a node without constant factors. */
ic_node ic_without_factor(ic_case_reader *r, ic_node node, ic_node *factor);

/** The sign of a constant that consists of numbers; 0: it depends on parameters. */
int ic_known_sign(const ic_graph *g, ic_node node);

/**
 * A condition with the same sign in which bounds are joined comparisons: c - |u| is positive where c - u and c + u are.
 * Their signs can be followed where that of u changes.
 */
ic_node ic_split_condition(ic_case_reader *r, ic_node node);

/** Name of a kink's events: its argument, if that is short, otherwise its state. */
const char *ic_kink_name(ic_case_reader *r, const ic_kink *kink);

/** Add a contact's force to the flow, and its guards. */
bool ic_apply_contact(ic_mechanics *m, ic_element *e);
