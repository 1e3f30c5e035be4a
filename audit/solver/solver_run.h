/* SPDX-License-Identifier: MIT */
/**
 * One run of a foreign solver: its inputs are in guarded memory, and its log is checked for finite
 * numbers.
 */
#ifndef IC_AUDIT_SOLVER_RUN_H
#define IC_AUDIT_SOLVER_RUN_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_solver_run {
    ic_log *log;
    ic_status status;

    /* number of changed bytes in and around problem, parameters and options */
    size_t damage;

    /* events, samples and ends whose time or state is not finite */
    size_t not_finite;
} ic_solver_run;

ic_solver_run ic_solver_run_of(const ic_solver *solver, const ic_problem *problem, const ic_options *options);
/** The same, with uninitialised stack memory filled with a byte. */
ic_solver_run ic_solver_run_filled(const ic_solver *solver, const ic_problem *problem,
                                   const ic_options *options, unsigned char byte);
/** End this process by SIGPROF when a later run takes more processor time than this, s; 0: no limit. */
void ic_solver_run_limit(double seconds);

void ic_solver_run_free(ic_solver_run *run);

/**
 * Add rows on `damage` and `not_finite`. Without `always`, rows are added only for values above 0.
 */
void ic_solver_run_report(ic_finding_writer *writer, const ic_solver_run *run, bool always);

/** Whether the log of a run has its end: a solver calls ic_log_final. */
bool ic_solver_run_has_end(const ic_log *log);

/** The error that is usually requested of an adaptive solver: larger at orders up to 3. */
double ic_solver_asked_error(const ic_solver *solver);

/** Whether a limit on work is reached because of the order: of an adaptive method of order 3 or less. */
bool ic_solver_may_need_more_steps(const ic_solver *solver);

/**
 * Options of a solver with fixed steps, `part` of the default step (s), or of an adaptive one,
 * `part` of the usual requested error.
 */
ic_options ic_solver_options(const ic_solver *solver, double default_step, double part);

#endif
