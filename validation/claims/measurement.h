/* SPDX-License-Identifier: MIT */
/** A measurement in progress, and the measures of measures.h. */
#ifndef IC_VALIDATION_CLAIMS_MEASUREMENT_H
#define IC_VALIDATION_CLAIMS_MEASUREMENT_H

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

/* Measures of parameters and equations, and of runs from the start: measures_of_runs.c. */
ic_measuring ic_measure_parameter;
ic_measuring ic_measure_formula;
ic_measuring ic_measure_event_time;
ic_measuring ic_measure_accumulation_time;
ic_measuring ic_measure_entry_time;
ic_measuring ic_measure_event_count;
ic_measuring ic_measure_at_event;
ic_measuring ic_measure_mode_after;
ic_measuring ic_measure_mode_at_start;
ic_measuring ic_measure_mode_at_end;
ic_measuring ic_measure_during;
ic_measuring ic_measure_solver_difference;
ic_measuring ic_measure_flow_calls;
ic_measuring ic_measure_final, ic_measure_changes, ic_measure_equation;

/* Measures of impacts and of motions that differ: measures_of_impacts.c. */
ic_measuring ic_measure_peak;
ic_measuring ic_measure_crossing_rate;
ic_measuring ic_measure_mean_rate;
ic_measuring ic_measure_groups;
ic_measuring ic_measure_dominant_frequency;
ic_measuring ic_measure_run_difference;
ic_measuring ic_measure_end_difference;
ic_measuring ic_measure_spread;

/* Measures of the steady state: measures_of_orbits.c. */
ic_measuring ic_measure_steady;
ic_measuring ic_measure_settling;
ic_measuring ic_measure_extreme;
ic_measuring ic_measure_fraction;
ic_measuring ic_measure_events;
ic_measuring ic_measure_entries;
ic_measuring ic_measure_longest;
ic_measuring ic_measure_at_entry;
ic_measuring ic_measure_mean;
ic_measuring ic_measure_difference;
ic_measuring ic_measure_mean_difference;

#endif
