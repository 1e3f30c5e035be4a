/* SPDX-License-Identifier: MIT */
/** The linear view of a mode in double precision: dx/dt = A x + b + u cos(w t) + v sin(w t). */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_linear_view {
    size_t n;

    /* n x n, row-major */
    double *a;

    /* n */
    double *b;

    /* n: Re c */
    double *cosine;

    /* n: -Im c */
    double *sine;

    /* frequency of the forcing, rad/s; 0: no forcing */
    double frequency;

    /* one form for each guard of the mode; its frequency is that of the view, or 0 */
    ic_form *guards;

    /* one for each guard; the constant 1 for a guard that is always enabled */
    ic_form *enabled;
} ic_linear_view;

/** Whether the start and every mode, guard and jump of a variant have a linear view. */
bool ic_is_linear(const ic_variant *variant);

/** Whether every mode of a variant has flow and guards as text or as operations. */
bool ic_has_equations(const ic_variant *variant);

/**
 * Evaluate the linear view of a mode. false: `error` states that it does not exist, or its error.
 */
bool ic_linear_view_open(ic_linear_view *view, const ic_problem *problem, const ic_mode *mode, ic_error *error);
void ic_linear_view_close(ic_linear_view *view);
