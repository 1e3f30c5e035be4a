/* SPDX-License-Identifier: MIT */
/**
 * One run of somebody else's solver: what it is lent is guarded, and what it hands back is looked
 * through.
 */
#ifndef IC_AUDIT_SOLVER_RUN_H
#define IC_AUDIT_SOLVER_RUN_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_solver_run {
    ic_log *log;
    ic_status status;

    /* bytes of and around problem, parameters and options that have changed */
    size_t damage;

    /* events, samples and ends whose time or state is not finite */
    size_t not_finite;
} ic_solver_run;

ic_solver_run ic_solver_run_of(const ic_solver *solver, const ic_problem *problem, const ic_options *options);
/** The same, with all of the stack that nobody has set filled with a byte. */
ic_solver_run ic_solver_run_filled(const ic_solver *solver, const ic_problem *problem,
                                   const ic_options *options, unsigned char byte);
void ic_solver_run_free(ic_solver_run *run);

/** Rows on `damage` and `not_finite`: always where `always`, else where there is any. */
void ic_solver_run_tell(ic_sink *sink, const ic_solver_run *run, bool always);

/**
 * Step or rtol that is asked of a solver on problems of this time scale, s, where `part` of the
 * usual one is wanted.
 */
ic_options ic_solver_asked(const ic_solver *solver, double default_step, double part);

#endif
