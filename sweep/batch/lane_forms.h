/* SPDX-License-Identifier: MIT */
/**
 * The affine forms of a variant for two parameter sets side by side: flows, guards, conditions and
 * jumps as rows for z = (x, 1, cos w t, sin w t). Where the texts have been compiled for the sweep
 * (core/compiled_case.h), only numbers that vary are read for each set.
 */
#pragma once

#include "core/compiled_case.h"
#include "sweep/batch/batch.h"

/** A number of two lanes, which one instruction processes on all machines. */
typedef double ic_batch_pair __attribute__((vector_size(IC_BATCH_PAIR * sizeof(double))));

typedef ic_batch_pair ic_batch_row[IC_BATCH_COLUMNS];

typedef struct ic_batch_mode_forms {
    ic_batch_row flow[IC_BATCH_STATES], guards[IC_BATCH_GUARDS], conditions[IC_BATCH_GUARDS];
    ic_batch_row branch_conditions[IC_BATCH_GUARDS][IC_BATCH_BRANCHES];
    ic_batch_row branch_states[IC_BATCH_GUARDS][IC_BATCH_BRANCHES][IC_BATCH_STATES];
} ic_batch_mode_forms;

typedef struct ic_batch_form_text {
    const char *text;
    ic_batch_pair *row;
} ic_batch_form_text;

/** A number that varies. */
typedef struct ic_batch_varying {
    ic_batch_pair *number;
    int term;
} ic_batch_varying;

enum {
    IC_BATCH_TEXTS = IC_BATCH_MODES * (IC_BATCH_STATES + 2 * IC_BATCH_GUARDS +
                                       IC_BATCH_GUARDS * IC_BATCH_BRANCHES * (IC_BATCH_STATES + 1)),
    IC_BATCH_VARYING = IC_BATCH_TEXTS * IC_BATCH_COLUMNS,
};

struct ic_batch_forms {
    const ic_batch_shape *shape;

    /* for each mode: the first mode of the same flow */
    int flow_of[IC_BATCH_MODES];

    ic_batch_form_text texts[IC_BATCH_TEXTS];
    int n_texts;

    /* what has been compiled; NULL: nothing yet */
    const ic_compiled_case *compiled;
    bool is_compiled;

    /* its numbers that vary */
    ic_batch_varying varying[IC_BATCH_VARYING];
    int n_varying;

    /* term of the frequency, or -1 */
    int frequency_term;

    /* whether the numbers of a lane that do not vary are in place */
    bool settled[IC_BATCH_PAIR];

    /* by mode: whether numbers of it, or of a mode of the same flow, vary */
    bool varies[IC_BATCH_MODES];

    /* if they do not: the period of the coefficients that are kept, s; 0: none yet */
    double kept_period[IC_BATCH_MODES];
    ic_batch_pair kept_scale[IC_BATCH_MODES][IC_BATCH_STATES];
    ic_batch_coefficients kept[IC_BATCH_MODES];

    /* result, of the two lanes */
    ic_batch_mode_forms modes[IC_BATCH_MODES];
    ic_batch_pair frequency;

    /* powers of 2 */
    ic_batch_pair scale[IC_BATCH_STATES], inverse_scale[IC_BATCH_STATES];
};

/** Allocates the forms of a variant. NULL: memory ran out. Free with free(). */
ic_batch_forms *ic_batch_forms_new(const ic_batch_shape *shape, const ic_variant *variant);

/** Reads the forms of a set into a lane. false: they are not affine, or forced at two frequencies. */
bool ic_batch_forms_read(ic_batch_forms *forms, const ic_problem *problem, int lane);
