/* SPDX-License-Identifier: MIT */
/** Numbers in the expression language of the public header, in ball arithmetic. */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

/** Names that an expression may contain. */
typedef struct ic_ball_names {
    /* NULL: numbers alone */
    const ic_case *system;

    /* parameters, or NULL */
    arb_srcptr par;

    /* value of n, or NULL */
    const long *n;
} ic_ball_names;

/** Encloses a number: an expression without states and t. false: the message names the error and its character. */
bool ic_ball_number(arb_t value, const char *text, const ic_ball_names *names, slong prec, char *message,
                    size_t size);

/**
 * Encloses all parameters of a problem: exact from problem->par_text where present, otherwise the
 * doubles problem->par. false: `message` states the error.
 */
bool ic_ball_parameters(arb_ptr par, const ic_problem *problem, slong prec, char *message, size_t size);
