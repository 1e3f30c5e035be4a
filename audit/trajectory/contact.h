/* SPDX-License-Identifier: MIT */
/** A case's contact, by its contact view: the guard, and the body that the contact acts on. */
#ifndef IC_AUDIT_TRAJECTORY_CONTACT_H
#define IC_AUDIT_TRAJECTORY_CONTACT_H

#include "impactcheck/impactcheck.h"

/** The first guard of the free mode by which contact may begin; NULL: none. */
const ic_guard *ic_touch_guard(const ic_contact_view *view, const ic_variant *variant);

/** Numbers of the states that are a position and its velocity. */
typedef struct ic_moving {
    size_t x, v;
} ic_moving;

/** The states that the contact acts on: the first position and velocity that are not carried. */
bool ic_contact_body(ic_moving *body, const ic_problem *problem);

/** The states that are carried (ic_contact_view). false: the case has none. */
bool ic_carried_body(ic_moving *body, const ic_problem *problem);

/** Value of the gap, m, as if the bodies were apart; of the force, N, as if they touched. */
double ic_contact_gap(const ic_problem *problem, double t, const double *x);
double ic_contact_force(const ic_problem *problem, double t, const double *x);

#endif
