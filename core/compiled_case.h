/* SPDX-License-Identifier: MIT */
/**
 * The texts of a problem as straight-line code in the parameters that are varied: read once, and
 * evaluated for many parameter sets side by side. Values are those of ic_expression, bit for bit.
 */
#pragma once

#include "core/expression.h"

/** A text and the terms of its IC_FORM_COEFFICIENTS coefficients. */
typedef struct ic_compiled_text {
    const char *text;
    int *terms;

    /* Whether names are those of states first. */
    bool states;
} ic_compiled_text;

typedef struct ic_compiled_case {
    ic_code code;
    size_t n_states, n_parameters;

    /* Term of each parameter. */
    int *parameters;

    /* Table by the address of the text; `capacity` is a power of 2. */
    ic_compiled_text *texts;

    size_t n_texts, capacity;
} ic_compiled_case;

/** The first member of what a solver keeps from one run of a problem to the next. */
typedef struct ic_kept {
    /* Who keeps it, and for which variant. */
    const void *owner;
    const ic_variant *variant;

    void (*close)(struct ic_kept *kept);
} ic_kept;

/** The forms of one parameter set. */
struct ic_given {
    const ic_compiled_case *compiled;

    /* Values of the code's terms, at the lane of this set. */
    const double *values;

    /* Values of the parameters for which the forms are; NULL: whoever made them sees to that. */
    const double *par;

    /* Where a run leaves what the next one takes: NULL there if nothing lies there. NULL: runs leave nothing. */
    ic_kept *_Atomic *kept;
};

/**
 * Record the texts of a problem: scales, times, flows, guards, jumps and requirements. Input k is
 * the parameter varied[k]; parameters whose text is that of their default follow from earlier ones.
 * A text that cannot be recorded is left out. false: a parameter cannot be recorded, a text
 * means different things in different places, or memory ran out (code.failed). ic_compiled_case_close
 * must be called in any case.
 */
bool ic_compiled_case_open(ic_compiled_case *compiled, const ic_problem *problem, const size_t *varied,
                           size_t n_varied);
void ic_compiled_case_close(ic_compiled_case *compiled);

/**
 * Compute the forms of a problem for its parameters, so that no run of it reads a text again. A run whose
 * parameters have other values reads the texts. *given is NULL if a parameter cannot be recorded; every run
 * then reads the texts. false: memory ran out.
 */
bool ic_given_new(struct ic_given **given, const ic_problem *problem);
void ic_given_free(struct ic_given *given);

/** What a run of this problem by this solver has left, which is taken away; NULL: nothing. */
ic_kept *ic_given_take(const ic_problem *problem, const void *owner);

/** Leave it for the next run, or close it if nothing may be left. */
void ic_given_keep(const ic_problem *problem, ic_kept *kept);

/** The terms of a text, by its address; NULL: it has not been recorded. */
const int *ic_compiled_case_find(const ic_compiled_case *compiled, const char *text);
