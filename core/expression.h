/* SPDX-License-Identifier: MIT */
/**
 * The expression language of the public header, in double precision.
 *
 * The value of an expression is an affine form
 *
 *     constant + sum_i state[i] x_i + cosine cos(frequency t) + sine sin(frequency t).
 */
#pragma once

#include "core/number_code.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_form {
    double constant;

    /* Factor of t; nonzero only inside the argument of sin and cos. */
    double time;

    double cosine, sine;

    /* Frequency, rad per unit of t; 0 if cosine and sine are 0. */
    double frequency;

    double state[IC_MAX_STATES];
} ic_form;

/** Forms that are known without their texts (core/compiled_case.h). */
typedef struct ic_given ic_given;

/** The names that an expression may use. */
typedef struct ic_names {
    /* NULL: names of cases are not allowed. */
    const ic_case *system;

    /* Values of the parameters; NULL: parameters are not allowed. */
    const double *par;

    /* Whether states are allowed. */
    bool states;

    /* Whether t is allowed. */
    bool time;

    /* Value of the name n; NULL: n is not allowed. */
    const double *n;

    /*
     * True if a sum is to be the sum of the magnitudes of its terms, to which rounding is relative.
     * Divisors and arguments of functions keep their values.
     */
    bool magnitudes;

    /* Forms that need not be read from their texts; NULL: none. Ignored with n, magnitudes or code. */
    const ic_given *given;

    /* Records the operations, with these terms as parameters (ic_expression_record); NULL: not. */
    ic_code *code;
    const int *par_terms;
} ic_names;

/** Set the text of an error, which may be NULL, as by printf. */
__attribute__((format(printf, 2, 3))) void ic_error_set(ic_error *error, const char *format, ...);

/** Appends to a text of at most `size` bytes, as far as there is room; and an item to a list that has commas. */
__attribute__((format(printf, 3, 4))) void ic_text_append(char *text, size_t size, const char *format, ...);
void ic_list_append(char *list, size_t size, const char *item);

/** Report that memory ran out. Always false. */
bool ic_error_no_memory(ic_error *error);

/**
 * Evaluate `text` to an affine form. false: `error`, which may be NULL, states the error and its
 * place.
 */
bool ic_expression(ic_form *form, const char *text, const ic_names *names, ic_error *error);

/** Evaluate `text` to a number: an expression without states and t. */
bool ic_expression_number(double *value, const char *text, const ic_names *names, ic_error *error);

/** Number of coefficients of a form of n states: constant, time, cosine, sine, frequency, states. */
#define IC_FORM_COEFFICIENTS(n) (5 + (n))

/**
 * Record in names->code how the coefficients of `text` are computed from those terms; terms has
 * IC_FORM_COEFFICIENTS elements. Divisors and functions become requirements of the code. false: as
 * ic_expression, or the text may be a form for some inputs only, or memory ran out.
 */
bool ic_expression_record(int *terms, const char *text, const ic_names *names, ic_error *error);

/**
 * The form of a text if it is among the given ones, for these parameters. Its coefficients are 0 on entry.
 */
bool ic_given_form(const ic_given *given, const double *par, const char *text, ic_form *form);

/** The same for a text without states and t: its constant. */
bool ic_given_number(const ic_given *given, const double *par, const char *text, double *value);

/** Value of a form at a time and state. */
double ic_form_value(const ic_form *form, size_t n_states, double t, const double *x);
