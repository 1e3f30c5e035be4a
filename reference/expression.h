/* SPDX-License-Identifier: MIT */
/**
 * The expression language of the public header in ball arithmetic.
 *
 * A form is a row over z = (x_0 ... x_{n-1}, 1, cos w t, sin w t), followed by the frequency w, and by a factor of t that
 * only the arguments of sin and cos have:
 *
 *     value = sum_i row[i] x_i + row[n] + row[n+1] cos w t + row[n+2] sin w t.
 */
#ifndef IC_REFERENCE_EXPRESSION_H
#define IC_REFERENCE_EXPRESSION_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

/** Elements of a form of n states. */
#define IC_BALL_FORM_LENGTH(n) ((slong)(n) + 5)

/** What an expression may name. */
typedef struct ic_ball_names {
    const ic_case *system; /* NULL: numbers alone */
    arb_srcptr par;        /* parameters, or NULL */
    bool states;           /* whether states may be named */
    bool time;             /* whether t may be named */
    const long *n;         /* value of n, or NULL */
} ic_ball_names;

/**
 * Enclose the value of `text` in a form (initialised by the caller, IC_BALL_FORM_LENGTH(n) elements, n = 0 without
 * system). false: the message says what is wrong and at which character.
 */
bool ic_ball_expression(arb_ptr form, const char *text, const ic_ball_names *names, slong prec, char *message,
                        size_t size);

/** Enclose a number: an expression in which neither states nor t occur. */
bool ic_ball_number(arb_t value, const char *text, const ic_ball_names *names, slong prec, char *message,
                    size_t size);

#endif
