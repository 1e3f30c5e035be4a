/* SPDX-License-Identifier: MIT */
/** A table of parameters set from text: NAME=VALUE, with defaults, ranges, and messages that say what would be right. */
#ifndef IC_CORE_PARAMETERS_H
#define IC_CORE_PARAMETERS_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** Parameters of one case or law. Texts and values are owned, the rest is borrowed. */
typedef struct ic_parameters {
    const char *kind; /* "case" or "law", for messages */
    const char *name; /* "roller" */
    const ic_parameter *table;
    size_t n;
    char **text;   /* n, exact */
    double *value; /* n; valid after ic_parameters_evaluate */
} ic_parameters;

/** All defaults. false: memory ran out; ic_parameters_close is due in either case. */
bool ic_parameters_open(ic_parameters *parameters, const char *kind, const char *name,
                        const ic_parameter *table, size_t n, ic_error *error);
void ic_parameters_close(ic_parameters *parameters);

/** One setting, NAME=VALUE. */
bool ic_parameters_set(ic_parameters *parameters, const char *setting, ic_error *error);

/** Settings with commas between: "k=2e8, omega=80pi". */
bool ic_parameters_set_list(ic_parameters *parameters, const char *settings, ic_error *error);

/** Values from texts, in order: a default may be an expression in parameters before it, whatever is set is a number. */
bool ic_parameters_evaluate(ic_parameters *parameters, ic_error *error);

/** Value of an expression in the parameters; `error` may be NULL. */
bool ic_parameters_number(const ic_parameters *parameters, double *value, const char *expression,
                          ic_error *error);

/** Whether all requirements are fulfilled, after ic_parameters_evaluate. */
bool ic_parameters_require(const ic_parameters *parameters, const ic_requirement *requirements, size_t n,
                           ic_error *error);

/** Whether a value lies in a range such as "(0, inf)", "[0, 1]" or "{0, 1}". false if the range is malformed. */
bool ic_in_range(const char *range, double value);

#endif
