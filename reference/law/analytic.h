/* SPDX-License-Identifier: MIT */
/**
 * Expressions in an indentation d as analytic functions of w = sqrt(d). A value is
 *
 *     w^k g(w),   k an integer,
 *
 * and g is a truncated series around a point: g(w + e) = g_0 + g_1 e + ... . The power of w is
 * stored separately, so that sqrt(w^2 g) = w sqrt(g) is analytic where w passes 0; sqrt and log of
 * g are the principal branches, and indeterminate where a ball meets their cut. A finite value is
 * therefore analytic on the whole of a complex ball w.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <acb.h>

/** Name of the indentation in an expression. */
#define IC_INDENTATION "d"

/** Names that an expression may contain in addition to d and pi. */
typedef struct ic_analytic_names {
    const ic_parameter *parameters;
    arb_srcptr par;
    size_t n;
} ic_analytic_names;

/** Value of an expression on a ball, as the first `length` coefficients of g. */
typedef struct ic_analytic_value {
    slong k;

    /* `length` elements, owned by the caller */
    acb_ptr g;

    slong length;
} ic_analytic_value;

/**
 * Evaluates an expression. IC_INVALID: the expression is malformed. IC_UNSUPPORTED: it is not
 * analytic in w (a fourth root of d, log d). `message` names the error and its place.
 */
ic_status ic_analytic_text(ic_analytic_value *value, const char *text, const ic_analytic_names *names,
                           const acb_t w, slong prec, char *message, size_t size);
