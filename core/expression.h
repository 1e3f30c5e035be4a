/* SPDX-License-Identifier: MIT */
/**
 * The expression language of the public header, in double precision.
 *
 * The value of an expression is an affine form
 *
 *     constant + sum_i state[i] x_i + cosine cos(frequency t) + sine sin(frequency t).
 */
#ifndef IC_CORE_EXPRESSION_H
#define IC_CORE_EXPRESSION_H

#include "impactcheck/impactcheck.h"

typedef struct ic_form {
    double constant;
    double time; /* factor of t; only inside the argument of sin and cos */
    double cosine, sine;
    double frequency; /* rad per unit of t; 0 where cosine and sine are 0 */
    double state[IC_MAX_STATES];
} ic_form;

/** Names that an expression may use. NULL tables are empty. */
typedef struct ic_names {
    const ic_case *system; /* NULL: numbers alone */
    const double *par;     /* values of the parameters; NULL: no parameter may be named */
    bool states;           /* whether states may be named */
    bool time;             /* whether t may be named */
    const double *n;       /* value of n, or NULL */
} ic_names;

/** Set an error's text, printf style. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void ic_error_set(ic_error *error, const char *format, ...);

/** Evaluate `text` to a form. false: `error` (which may be NULL) says what and where. */
bool ic_expression(ic_form *form, const char *text, const ic_names *names, ic_error *error);

/** Evaluate `text` to a number: an expression without states and t. */
bool ic_expression_number(double *value, const char *text, const ic_names *names, ic_error *error);

/** Value of a form at a time and state. */
double ic_form_value(const ic_form *form, size_t n_states, double t, const double *x);

#endif
