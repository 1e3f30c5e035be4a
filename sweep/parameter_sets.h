/* SPDX-License-Identifier: MIT */
/**
 * Many parameter sets of one problem: what is recorded of each, and the methods that solve them.
 *
 * A parameter set is followed from the start over skip + keep periods T; for the last `keep`
 * periods it records
 *
 *     strobe   row i: all states, and the mode, at the end of kept period i:
 *              t = t_start + (skip + 1 + i) T
 *     output   row i: least and greatest value of one output in kept period i, both ends included,
 *              one-sided limits at events too
 *     peak     one row: the greatest value of each output over all kept periods
 *
 * T is the period of the forcing; in a case without forcing, the preset's end is the end of the
 * first period. A run that a terminal mode ends keeps its last state: later periods repeat it, and
 * have no extremes (NAN). A set that stops for another reason has NAN, and the mode IC_NO_MODE, in
 * the rows that it did not reach.
 *
 * A method may leave a set that departs from the path it supports: it sets IC_UNSUPPORTED, and the
 * set is solved from the start by the plan's solver (ic_parameter_sets_by_solver). The result for a
 * set must not depend on the sets solved with it: files are the same for any number of threads.
 */
#pragma once

#include "impactcheck/impactcheck.h"

#include <signal.h>

typedef enum ic_record_kind { IC_RECORD_STROBE, IC_RECORD_OUTPUT, IC_RECORD_PEAK } ic_record_kind;

/** Mode of a row that was not reached, and of rows of records other than strobe. */
#define IC_NO_MODE 255

/** Size of the text that explains the failure of a set. */
#define IC_PARAMETER_SET_REASON 256

/** The values to compute for every parameter set. */
typedef struct ic_sweep_plan {
    /* the first set's problem: system, variant, t_start; other sets differ in parameters and
       t_end */
    const ic_problem *problem;

    /* solves every set that a method leaves */
    const ic_solver *solver;

    /* true if no solver was asked for: any that is as accurate will do */
    bool any_solver;

    /* the solver's accuracy */
    ic_options options;

    /* T of a set, s */
    double (*period)(const ic_problem *problem);

    /* periods */
    size_t skip;

    /* periods, 1 at least */
    size_t keep;

    ic_record_kind record;

    /* IC_RECORD_OUTPUT: index of the output */
    size_t output;

    /* columns of a row */
    size_t n_columns;

    /* where not NULL: once it is not zero, a method may return at once, and its results are
       discarded */
    const volatile sig_atomic_t *stop;
} ic_sweep_plan;

/** One parameter set. The driver fills the input; a method fills the results. */
typedef struct ic_parameter_set {
    /* problem->par */
    const double *par;

    /* the set's own problem; t_end = t_start + (skip + keep) T */
    const ic_problem *problem;

    /* T, s */
    double period;

    /* keep; 1 for IC_RECORD_PEAK */
    size_t n_rows;

    /* n_rows x n_columns */
    double *rows;

    /* one for each row */
    unsigned char *modes;

    /* IC_UNSUPPORTED: left to the plan's solver; IC_INVALID on entry: skip this set */
    ic_status status;

    /* number of events over the whole run */
    double events;

    /* where the status is not IC_OK: the reason, or "" */
    char why[IC_PARAMETER_SET_REASON];

    /* number of phases that a method left to a solver, while it solved the others */
    double phases_left;
} ic_parameter_set;

/**
 * Solves parameter sets. The result of each set is its own status; the return value is IC_OK, or
 * IC_UNSUPPORTED where the method cannot serve this plan at all, or IC_NO_MEMORY. Called by
 * several threads at once.
 */
typedef ic_status ic_sweep_method_solve(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets);

/** A method of solving parameter sets (option --method), registered in sweep/methods.c. */
typedef struct ic_sweep_method {
    /* "batch" */
    const char *name;

    /* one line */
    const char *title;

    /* the solver whose sets it can solve instead; NULL: any */
    const char *stands_in_for;

    /* whether it can also solve sets for which no solver was asked for */
    bool general;

    /* why it cannot solve the sets of a plan; NULL: it can. The function is NULL if it can solve any. */
    const char *(*refusal)(const ic_sweep_plan *plan);

    ic_sweep_method_solve *solve;
} ic_sweep_method;

extern const ic_sweep_method ic_sweep_method_batch;
extern const ic_sweep_method ic_sweep_method_series;

extern const ic_sweep_method *const ic_sweep_methods[];
extern const size_t ic_sweep_method_count;

/** The first registered method that serves the plan; "scalar" if no other does. */
const ic_sweep_method *ic_sweep_method_for(const ic_sweep_plan *plan);
const ic_sweep_method *ic_sweep_method_find(const char *name);

/** Why a method cannot replace the plan's solver or solve its sets; NULL: it serves the plan. */
const char *ic_sweep_method_refusal(const ic_sweep_method *method, const ic_sweep_plan *plan);

/**
 * The method "scalar": any registered solver, one set after another; serves every plan and leaves
 * no set.
 */
ic_sweep_method_solve ic_parameter_sets_by_solver;

/** Columns of a row for a kind of record. */
size_t ic_record_columns(ic_record_kind record, const ic_problem *problem);

/** Marks every row of a set as not reached: NAN and IC_NO_MODE. */
void ic_parameter_set_clear(const ic_sweep_plan *plan, ic_parameter_set *set);

/**
 * Whether this processor rounds a product with its sum in one instruction. All kernels of vectors do so, with
 * the same bits; where it is a function, they are slower than a solver.
 */
bool ic_sweep_fuses(void);
#define IC_SWEEP_NEEDS_FUSED "this processor has no fused multiply-add"

/** The empty log of a set's run, and the options of the run; NULL: memory ran out. */
ic_log *ic_parameter_set_log(const ic_sweep_plan *plan, const ic_parameter_set *set, ic_options *options);

/** Stores the results of a set's run. */
void ic_parameter_set_fill(const ic_sweep_plan *plan, ic_parameter_set *set, ic_status status,
                           const ic_log *log);

/**
 * The period of the forcing; in a case without forcing, from the start to the end of the problem.
 */
double ic_sweep_period(const ic_problem *problem);

/**
 * Solves sets with a method, and those it leaves with the plan's solver. Adds the number of the
 * latter to *n_left. Returns IC_OK or IC_NO_MEMORY.
 */
ic_status ic_parameter_sets_solve(const ic_sweep_plan *plan, ic_sweep_method_solve *method,
                                  ic_parameter_set *sets, size_t n_sets, size_t *n_left);
