/* SPDX-License-Identifier: MIT */
/**
 * The contact of a case, from its contact view: the guard, and the body on which the contact acts.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_CONTACT_H
#define IC_AUDIT_TRAJECTORY_INPUT_CONTACT_H

#include "impactcheck/impactcheck.h"

/** The first guard of the free mode whose jump leads into contact; NULL: none. */
const ic_guard *ic_touch_guard(const ic_contact_view *view, const ic_variant *variant);

/** Indices of a position and its velocity among the states. */
typedef struct ic_moving {
    size_t x, v;
} ic_moving;

/**
 * The states of the body on which the contact acts: the first position and velocity that are not
 * carried.
 */
bool ic_contact_body(ic_moving *body, const ic_problem *problem);

/** The carried states (ic_contact_view). false: none. */
bool ic_carried_body(ic_moving *body, const ic_problem *problem);

/** The gap, m, as in the free mode, and the force, N, as in the contact mode. */
double ic_contact_gap(const ic_problem *problem, double t, const double *x);
double ic_contact_force(const ic_problem *problem, double t, const double *x);

#endif
