/* SPDX-License-Identifier: MIT */
/** The linear view of a mode in double precision: dx/dt = A x + b + u cos(w t) + v sin(w t). */
#ifndef IC_CORE_LINEAR_VIEW_H
#define IC_CORE_LINEAR_VIEW_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_linear_view {
    size_t n;
    double *a;        /* n x n, row-major */
    double *b;        /* n */
    double *cosine;   /* n: Re c */
    double *sine;     /* n: -Im c */
    double frequency; /* rad/s; 0: no forcing */
    ic_form *guards;  /* one form for each guard of the mode; frequency equal to the view's, or 0 */
    ic_form *enabled; /* one for each guard; constant 1 where the guard is always enabled */
} ic_linear_view;

/** Whether the start and every mode, guard and jump of a variant have a linear view. */
bool ic_is_linear(const ic_variant *variant);

/** Evaluate the texts of a mode. false: there is no linear view, or `error` says what is wrong with it. */
bool ic_linear_view_open(ic_linear_view *view, const ic_problem *problem, const ic_mode *mode, ic_error *error);
void ic_linear_view_close(ic_linear_view *view);

#endif
