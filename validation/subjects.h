/* SPDX-License-Identifier: MIT */
/** The product of selected presets and solvers, which most checks walk through. */
#ifndef IC_VALIDATION_SUBJECTS_H
#define IC_VALIDATION_SUBJECTS_H

#include "core/model.h"
#include "validation/verify.h"

/** Relative tolerance at which adaptive solvers are verified: of errors over some typical times. */
#define IC_VERIFY_RTOL 1e-10

/** The rtol to ask of a solver for an error over some typical times; and for IC_VERIFY_RTOL. */
double ic_rtol_for(const ic_solver *solver, double error);
double ic_verify_rtol(const ic_solver *solver);

typedef void ic_subject_visit(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                              const char *path);

/** Call `visit` with a set-up problem for every selected preset, each a part of the work. A preset that cannot be set up becomes a failed row. */
void ic_for_each_subject(ic_results *results, const ic_selection *selection, const char *check,
                         ic_subject_visit *visit);

/**
 * Whether a solver solves a problem in the variant that it has: what it needs is there, and the variant is the one it is made for, if any.
 * (`ic_setup_for_solver` puts a problem into that variant.)
 */
bool ic_solver_solves(const ic_solver *solver, const ic_problem *problem);

/** Whether it does, and keeps the event contract. */
bool ic_solver_serves(const ic_solver *solver, const ic_problem *problem);

/** A row with its texts filled in, numbers NAN and verdict IC_FAIL. solver may be NULL. */
ic_result ic_row(const char *check, const char *subject, const ic_solver *solver, const char *unit);

/** Solve; the log is released by the caller; NULL: no memory. */
ic_log *ic_solve(const ic_solver *solver, const ic_problem *problem, const ic_options *options,
                 ic_status *status);

/** Why a run failed, for people: what the log says, or else the status. Never empty. */
const char *ic_failure_text(const ic_log *log, ic_status status);

/** Whether a solver is somebody else's. */
bool ic_is_peer(const char *solver);

#endif
