/* SPDX-License-Identifier: MIT */
/** A measurement in progress, and the measures of measures.h. */
#pragma once

#include "validation/claims/claim_evaluator.h"

enum { IC_MOST_ARGUMENTS = 5 };

typedef struct ic_call {
    /* index in the table of measures */
    size_t measure;

    char arguments[IC_MOST_ARGUMENTS][IC_LONGEST_PATH];
} ic_call;

/** The evaluation of a call whose arguments were checked. */
typedef struct ic_measurement {
    ic_claim_evaluator *evaluator;

    /* problem of the first path */
    ic_subject *subject;

    /* the run from the start, or one over the steady state, if the measure examines it */
    const ic_log *log;

    /* the steady state, if the measure examines it */
    const ic_steady *steady;

    const ic_call *call;
    ic_error *error;
} ic_measurement;

/** Set the error to the path, `what` and `name`. Returns false. */
bool ic_measurement_fail(const ic_measurement *b, const char *what, const char *name);

/** Argument i as a mode, as a word, as an output or state. */
int ic_argument_mode(const ic_measurement *b, size_t i);
bool ic_argument_is(const ic_measurement *b, size_t i, const char *word);
double ic_argument_value(const ic_measurement *b, size_t i, double t, const double *x, int mode);

/** The greater of two values, or the lesser if argument i is "min"; NAN is ignored. */
double ic_better_extreme(const ic_measurement *b, size_t i, double so_far, double value);

/** Solve a problem. NULL: that failed, and the error is set. The caller frees the log. */
ic_log *ic_measurement_run(const ic_measurement *b, const ic_problem *problem, const ic_solver *solver,
                           const ic_options *options);

/**
 * Index in the log of event N (argument 2) with the name EVENT (argument 1), or of entry N into the
 * mode if `mode` >= 0. false: there are fewer.
 */
bool ic_nth_event(size_t *index, const ic_measurement *b, int mode);

/** A measure. false: `error` gives the reason. */
typedef bool ic_measuring(double *value, const ic_measurement *b);

#define IC_MEASURE(name_, ...) ic_measuring ic_measure_##name_;
#include "validation/claims/measures.def"
