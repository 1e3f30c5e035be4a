/* SPDX-License-Identifier: MIT */
/**
 * The expression language of the public header in ball arithmetic.
 *
 * A form is a row over z = (x_0 ... x_{n-1}, 1, cos w t, sin w t), followed by the frequency w, and
 * by a factor of t that only the arguments of sin and cos have:
 *
 *     value = sum_i row[i] x_i + row[n] + row[n+1] cos w t + row[n+2] sin w t.
 */
#ifndef IC_REFERENCE_EXPRESSION_H
#define IC_REFERENCE_EXPRESSION_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

/** Elements of a form of n states. */
#define IC_BALL_FORM_LENGTH(n) ((slong)(n) + 5)

/** Names that an expression may contain. */
typedef struct ic_ball_names {
    /* NULL: numbers alone */
    const ic_case *system;

    /* parameters, or NULL */
    arb_srcptr par;

    /* whether states may occur */
    bool states;

    /* whether t may occur */
    bool time;

    /* value of n, or NULL */
    const long *n;
} ic_ball_names;

/**
 * Encloses the value of `text` in a form (initialised by the caller, IC_BALL_FORM_LENGTH(n)
 * elements, n = 0 without system). false: the message names the error and its character.
 */
bool ic_ball_expression(arb_ptr form, const char *text, const ic_ball_names *names, slong prec, char *message,
                        size_t size);

/** Encloses a number: an expression without states and t. */
bool ic_ball_number(arb_t value, const char *text, const ic_ball_names *names, slong prec, char *message,
                    size_t size);

#endif
