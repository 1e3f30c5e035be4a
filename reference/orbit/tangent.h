/* SPDX-License-Identifier: MIT */
/**
 * A problem together with its linearisation along each motion: n states x and a tangent v, which follow
 *
 *     x' = f(x),    v' = f_x v,
 *
 * and at an event with the guard g, the jump J and the flow f+ after it
 *
 *     v -> J_x v - (J_x f + J_t - f+(J(x))) (g_x v)/(g_x f + g_t).
 *
 * The return map P of the problem becomes (P(x), P'(x) v), whose derivative has second derivatives of P.
 * All formulas are differentiated as operations.
 *
 * Or a problem with a tangent for each of several directions, which are parameters p and states at the start: v is the
 * derivative of the motion at a fixed time, f_p is added to v', and J_p and g_p to the formula of a jump. The event itself
 * comes later by
 *
 *     tau = -(g_x v + g_p)/(g_x f + g_t)
 *
 * for each unit of the parameter (Leine & Nijmeijer 2004).
 */
#pragma once

#include "reference/flow/linear_formulas.h"
#include "reference/orbit/storage.h"

/** What a tangent is along: a parameter, or a state at the start; the other number is -1. */
typedef struct ic_tangent_direction {
    int parameter, state;
} ic_tangent_direction;

typedef struct ic_tangent_problem {
    /* of n (1 + directions) states, the tangents last */
    ic_problem problem;

    /*
     * With directions, by mode: formulas of the guards; of g_x v + g_p, by guard and direction; of the rates of the guards;
     * of their conditions, without a value where a comparison in them holds with equality in this run alone; of the rates
     * of the n states; and by output, its derivatives at a fixed time along the directions, then its rate. -1: there is
     * none. NULL: a mode without formulas.
     */
    const ic_equations **slopes;

    /* formulas of parameters */
    ic_linear_formulas formulas;

    /* owned */
    ic_case system;
    ic_variant variant;
    ic_storage storage;

    /* why it was not made */
    char message[200];
} ic_tangent_problem;

/** Make it from a problem given as operations. false: `message` states the reason. Close in any case. */
bool ic_tangent_open(ic_tangent_problem *t, const ic_problem *problem);

/** The same along directions, from the start of the problem. */
bool ic_tangent_open_along(ic_tangent_problem *t, const ic_problem *problem,
                           const ic_tangent_direction *directions, size_t n);
void ic_tangent_close(ic_tangent_problem *t);
