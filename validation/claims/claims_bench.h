/* SPDX-License-Identifier: MIT */
/** What the measures of claims_measure.h work with, and the measures themselves. */
#ifndef IC_VALIDATION_CLAIMS_CLAIMS_BENCH_H
#define IC_VALIDATION_CLAIMS_CLAIMS_BENCH_H

#include "validation/claims/claims_laboratory.h"

enum { IC_MOST_ARGUMENTS = 5 };

typedef struct ic_call {
    /* index in the table of measures */
    size_t measure;

    char arguments[IC_MOST_ARGUMENTS][IC_LONGEST_PATH];
} ic_call;

/** A call that is being measured; its arguments were checked. */
typedef struct ic_bench {
    ic_laboratory *laboratory;

    /* of the first path */
    ic_subject *subject;

    const ic_call *call;
    ic_error *error;
} ic_bench;

/** Index of a mode of the variant, or -1. */
int ic_find_mode(const ic_variant *variant, const char *name);

/** Set the error to the path, `what` and `name`. Returns false. */
bool ic_bench_fails(const ic_bench *b, const char *what, const char *name);

/** Argument i as a mode, as a word, as an output or state. */
int ic_bench_mode(const ic_bench *b, size_t i);
bool ic_bench_is(const ic_bench *b, size_t i, const char *word);
double ic_bench_variable(const ic_bench *b, size_t i, double t, const double *x, int mode);

/** The greater, or where argument i is "min" the lesser, of two; NAN is none. */
double ic_bench_better(const ic_bench *b, size_t i, double so_far, double value);

/**
 * The subject's solver, or another one, on a problem; NULL: it did not end well. The log is the
 * caller's.
 */
ic_log *ic_bench_run(const ic_bench *b, const ic_problem *problem, const ic_solver *solver,
                     const ic_options *options);

/** A measure. false: `error` says why it cannot be measured. */
typedef bool ic_measuring(double *value, const ic_bench *b);

/* of parameters and equations, and of runs from the start: claims_of_runs.c */
ic_measuring ic_measure_parameter;
ic_measuring ic_measure_formula;
ic_measuring ic_measure_event_time;
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

/* of impacts and of motions that differ: claims_of_impacts.c */
ic_measuring ic_measure_peak;
ic_measuring ic_measure_crossing_rate;
ic_measuring ic_measure_mean_rate;
ic_measuring ic_measure_groups;
ic_measuring ic_measure_dominant_frequency;
ic_measuring ic_measure_run_difference;
ic_measuring ic_measure_end_difference;
ic_measuring ic_measure_spread;

/* of the steady state: claims_of_orbits.c */
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
