/* SPDX-License-Identifier: MIT */
/**
 * A reference run of a case: its events by the most accurate solver, and the state at any time
 * between them.
 */
#ifndef IC_AUDIT_REFERENCE_RUN_H
#define IC_AUDIT_REFERENCE_RUN_H

#include "audit/trajectory/track/predict.h"
#include "core/expression.h"

typedef struct ic_reference_run {
    ic_log *log;
    ic_predictor predictor;
    double x_start[IC_MAX_STATES];
    int mode_start;
} ic_reference_run;

/**
 * Solves a problem, which must outlive the reference run. false: `error` gives the reason. Close
 * the reference run in either case.
 */
bool ic_reference_run_open(ic_reference_run *reference, const ic_problem *problem, ic_error *error);
void ic_reference_run_close(ic_reference_run *reference);

/** The state at a time, after the events of that instant. false: the time is outside the run. */
bool ic_reference_run_state(const ic_reference_run *reference, double t, double *x);

/** Time of the first event of a guard after the start, s; INFINITY if it does not exist. */
double ic_reference_run_first_guard(const ic_reference_run *reference);

/** The first event of any kind after a time, or the end, s. */
double ic_reference_run_next(const ic_reference_run *reference, double t);

/** The problem's end, or the time at which a terminal mode is entered, s. */
double ic_reference_run_end(const ic_reference_run *reference);

#endif
