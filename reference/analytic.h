/* SPDX-License-Identifier: MIT */
/**
 * Texts in an indentation d as analytic functions of w = sqrt(d). A value is
 *
 *     w^k g(w),   k an integer,
 *
 * and g is a truncated series around a point: g(w + e) = g_0 + g_1 e + ... . The power of w is kept apart, so that
 * sqrt(w^2 g) = w sqrt(g) is analytic where w passes 0; sqrt and log of g are the principal ones, and not finite where a ball
 * meets their cut. So what is finite is analytic on the whole of a complex ball w.
 */
#ifndef IC_REFERENCE_ANALYTIC_H
#define IC_REFERENCE_ANALYTIC_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <acb.h>

/** The indentation's name in a text. */
#define IC_INDENTATION "d"

/** What a text may name besides d and pi. */
typedef struct ic_analytic_names {
    const ic_parameter *parameters;
    arb_srcptr par;
    size_t n;
} ic_analytic_names;

/** The text at a ball, by the first `length` coefficients of g. */
typedef struct ic_analytic_value {
    slong k;
    acb_ptr g; /* the caller's, `length` elements */
    slong length;
} ic_analytic_value;

/**
 * IC_OK; IC_INVALID: the text is wrong; IC_UNSUPPORTED: it is no such function (a fourth root of d, log d). `message` says what
 * and where.
 */
ic_status ic_analytic_text(ic_analytic_value *value, const char *text, const ic_analytic_names *names,
                           const acb_t w, slong prec, char *message, size_t size);

#endif
