/* SPDX-License-Identifier: MIT */
/** All pairs of selected presets and solvers, which most checks visit. */
#pragma once

#include "core/model.h"
#include "validation/results.h"
#include "validation/selection.h"

/**
 * The rtol with which a solver has a given error after some typical times; the rtol for the error
 * ic_tolerance_verify_rtol.
 */
double ic_rtol_for(const ic_solver *solver, double error);
double ic_verify_rtol(const ic_solver *solver);

/** Longest path with settings: "roller/I/C[phase=pi, k=2e8]". */
#define IC_LONGEST_PATH 128

/** A path made printf style, valid in the block around it; one that is too long stays so. */
#define IC_PATH(...) ic_path_print((char[IC_LONGEST_PATH + 1]){0}, __VA_ARGS__)
__attribute__((format(printf, 2, 3))) char *ic_path_print(char path[IC_LONGEST_PATH + 1], const char *format,
                                                          ...);

/**
 * Make a problem from a path that may have settings: case/preset[NAME=VALUE, ...]; variant=NAME and
 * until=TIME are also settings.
 */
bool ic_path_open(ic_setup *setup, const char *path, ic_error *error);

/** Options for accurate runs of claims and studies; the solver is ic_accurate_solver. */
ic_options ic_trusted_options(const ic_problem *problem);

typedef void ic_subject_visit(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                              const char *path);

/**
 * Call `visit` with a set-up problem for every selected preset, each a part of the work. A preset
 * that cannot be set up becomes a failed row.
 */
void ic_for_each_subject(ic_results *results, const ic_selection *selection, const char *check,
                         ic_subject_visit *visit);

/**
 * Whether a solver solves a problem in its present variant: the problem provides what the solver
 * needs, and the variant is the one of the solver, if it has one (`ic_setup_for_solver` selects
 * it).
 */
bool ic_solver_solves(const ic_solver *solver, const ic_problem *problem);

/** Whether the solver solves the problem and keeps the event contract. */
bool ic_solver_serves(const ic_solver *solver, const ic_problem *problem);

/**
 * The class of a solver by what it needs, so that solvers of one class are compared:
 *
 *   "closed form"  the linear or the impact view: a formula is the motion between events
 *   "affine flow"  the linear view, by steps or a tolerance
 *   "equations"    the equations of any flow as text; a flow that is a C function alone is not served
 *   "any flow"     the flow as a function
 *   "stops"        stops and friction, by time stepping
 *
 * "equations" and "any flow" are general: neither needs affine flows. A solver by equations may take a
 * shorter way where they are affine (`taylor` does).
 */
const char *ic_solver_class(const ic_solver *solver);

/** Whether its class is general, and it locates events. */
bool ic_solver_is_general(const ic_solver *solver);

/** Add a row that fails without a number. */
void ic_add_failure(ic_results *results, const char *check, const char *subject, const char *what,
                    const char *detail);

/** Solve. The caller releases the log. NULL: memory ran out. */
ic_log *ic_solve(const ic_solver *solver, const ic_problem *problem, const ic_options *options,
                 ic_status *status);

/**
 * The reason of a failed run, for the user: the text of the log, or the status if that is empty.
 * Never empty.
 */
const char *ic_failure_text(const ic_log *log, ic_status status);
