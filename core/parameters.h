/* SPDX-License-Identifier: MIT */
/** Parameters set from text of the form NAME=VALUE, with defaults, ranges and helpful messages. */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** The parameters of one case or law. Texts and values are owned; the rest is borrowed. */
typedef struct ic_parameters {
    /* "case" or "law", for messages. */
    const char *kind;

    /* Name of the case or law: "roller". */
    const char *name;

    const ic_parameter *table;
    size_t n;

    /* n exact texts of the values. */
    char **text;

    /* n values, valid after ic_parameters_evaluate. */
    double *value;
} ic_parameters;

/**
 * Set all parameters to their defaults. false: memory ran out. ic_parameters_close must be called
 * in either case.
 */
bool ic_parameters_open(ic_parameters *parameters, const char *kind, const char *name,
                        const ic_parameter *table, size_t n, ic_error *error);
void ic_parameters_close(ic_parameters *parameters);

/** Set one parameter by NAME=VALUE. */
bool ic_parameters_set(ic_parameters *parameters, const char *setting, ic_error *error);

/** Set parameters by a comma-separated list: "k=2e8, omega=80pi". */
bool ic_parameters_set_list(ic_parameters *parameters, const char *settings, ic_error *error);

/**
 * Evaluate the texts in order. A default may be an expression in earlier parameters; a setting must
 * be a number.
 */
bool ic_parameters_evaluate(ic_parameters *parameters, ic_error *error);

/** Evaluate an expression in the parameters; `error` may be NULL. */
bool ic_parameters_number(const ic_parameters *parameters, double *value, const char *expression,
                          ic_error *error);

/** Whether all requirements are met; call ic_parameters_evaluate first. */
bool ic_parameters_require(const ic_parameters *parameters, const ic_requirement *requirements, size_t n,
                           ic_error *error);

/**
 * Whether a value lies in a range such as "(0, inf)", "[0, 1]" or "{0, 1}". false if the range is
 * malformed.
 */
bool ic_in_range(const char *range, double value);

/** A copy of the first `length` characters of a text, to be freed with free(), or NULL. */
char *ic_copy_text(const char *text, size_t length, ic_error *error);
