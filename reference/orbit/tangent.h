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
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/orbit/storage.h"

typedef struct ic_tangent_problem {
    /* of 2 n states, the tangent last */
    ic_problem problem;

    /* owned */
    ic_case system;
    ic_variant variant;
    ic_storage storage;

    /* why it was not made */
    char message[200];
} ic_tangent_problem;

/** Make it from a problem given as operations. false: `message` states the reason. Close in any case. */
bool ic_tangent_open(ic_tangent_problem *t, const ic_problem *problem);
void ic_tangent_close(ic_tangent_problem *t);
