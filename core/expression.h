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

    /* factor of t; nonzero only inside the argument of sin and cos */
    double time;

    double cosine, sine;

    /* rad per unit of t; 0 where cosine and sine are 0 */
    double frequency;

    double state[IC_MAX_STATES];
} ic_form;

/** The names that an expression may use. */
typedef struct ic_names {
    /* NULL: no name of a case */
    const ic_case *system;

    /* values of the parameters; NULL: parameters may not be used */
    const double *par;

    /* whether states may be used */
    bool states;

    /* whether t may be used */
    bool time;

    /* value of the name n; NULL: n may not be used */
    const double *n;

    /* sums are those of their terms' magnitudes, to which rounding is relative; divisors and arguments are not changed */
    bool magnitudes;
} ic_names;

/** Set the text of an error, which may be NULL, as by printf. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void ic_error_set(ic_error *error, const char *format, ...);

/** Report that memory ran out. Always false. */
bool ic_error_no_memory(ic_error *error);

/**
 * Evaluate `text` to an affine form. false: `error`, which may be NULL, says what is wrong and
 * where.
 */
bool ic_expression(ic_form *form, const char *text, const ic_names *names, ic_error *error);

/** Evaluate `text` to a number: an expression without states and t. */
bool ic_expression_number(double *value, const char *text, const ic_names *names, ic_error *error);

/** Value of a form at a time and state. */
double ic_form_value(const ic_form *form, size_t n_states, double t, const double *x);

#endif
