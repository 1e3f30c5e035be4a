/* SPDX-License-Identifier: MIT */
/** What checks of `verify` say of one problem: for other checks, and for tests with answers of their own. */
#pragma once

#include "core/model.h"
#include "reference/orbit/derivatives.h"
#include "reference/orbit/orbit.h"
#include "sweep/parameter_sets.h"
#include "validation/results.h"
#include "validation/selection.h"
#include "validation/steady.h"
#include "validation/subjects.h"
#include "validation/truth.h"

/**
 * Adds rows for two accurate runs of a problem, and for each of `n` solvers by them. `certified`: a part of the run
 * is.
 */
void ic_agreement_judge(ic_results *results, const ic_problem *problem, const char *path, bool certified,
                        const ic_solver *const *solvers, size_t n);

/** The same for all selected solvers that serve the problem. */
void ic_agreement_judge_selected(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                                 const char *path, bool certified);

/** Adds rows for the events of a solver's run by a certified answer, and for its end. */
void ic_enclosures_judge(ic_results *results, const ic_problem *problem, const ic_truth *truth,
                         const char *path, const ic_solver *solver);

/** The tolerance of a solver's event times, and its amount, s, for events up to a time. */
const ic_tolerance *ic_time_accepted(const ic_solver *solver);
double ic_time_allowed(const ic_solver *solver, const ic_problem *problem, double t_end);

/**
 * The part of a problem whose balance is judged. false: some mode that does not end the run has no energy balance.
 */
bool ic_energy_problem(ic_problem *judged, const ic_problem *problem);

/** Adds a row for the energy balance of one solver's run. */
void ic_energy_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver, const char *path);

/**
 * Adds a row for the order of a solver with fixed steps in the final state, and one for event times if there are
 * events.
 */
void ic_orders_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                     const ic_truth *truth, const char *path);

/** The orbit that was tried last. Begin with {.orbit.status = IC_UNDECIDED}. */
typedef struct ic_judged_orbit {
    ic_orbit orbit;

    /* whether the motion from an orbit that is not proved is certified for its period */
    bool returns;
} ic_judged_orbit;

/**
 * Adds a row for a steady state by a certified periodic orbit. `last` is reused if this solver has come to the same
 * orbit. Clear last->orbit afterwards.
 */
void ic_orbit_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_steady *steady, const char *path, ic_judged_orbit *last);

/** The part of a problem that is certified for the order, up to a time between events. */
typedef struct ic_stepping_window {
    /* without a system: not certified yet */
    ic_problem problem;

    /* release it with ic_truth_clear */
    ic_truth truth;
} ic_stepping_window;

/**
 * Add rows about time stepping with impulses: the order in the final state, the overlap if there are stops, and the
 * energy if it is stated and none is supplied. The variant of the problem has the view as stops and friction. The
 * first solver of a problem certifies its window, {0} at first.
 */
void ic_stepping_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                       ic_stepping_window *window, const char *path);

/** Adds one row: the ends of a few parameter sets beside a preset by a method, or why it is not available. */
void ic_sweep_method_judge(ic_results *results, const ic_setup *setup, const ic_sweep_method *method,
                           const char *path);

/**
 * Adds one row: rates at places of a run are those of a text (NULL: that of the case), or why this is not judged.
 */
void ic_text_rates_judge(ic_results *results, const ic_problem *problem, const char *text, const char *path);

/**
 * The greatest difference of the derivatives of a run by a parameter (ic_setup_derived) from certified ones: of states
 * on both sides of events and at the end, and of the times of events, each a part of the greatest of its kind, or of its
 * scale over the parameter's value if that is greater. INFINITY: the events differ.
 */
double ic_derivatives_difference(const ic_log *log, const ic_derivatives *d, const char *by, double parameter);

/** Adds a row for the derivatives of a solver's run of a derived problem by a parameter. */
void ic_derivatives_judge(ic_results *results, const ic_problem *derived, const ic_derivatives *d,
                          const char *by, double parameter, const char *path, const ic_solver *solver);

/**
 * Draw `count` problems around a preset, certify each, and compare the suitable solvers of a list with it: one row
 * for each solver, with its largest error. The seed is fixed.
 */
void ic_draws_judge(ic_results *results, const ic_setup *base, const char *path,
                    const ic_solver *const *solvers, size_t n_solvers, int count);

/**
 * Four rows for each suitable solver of a list, by certified answers of the law; the variant of the problem is a free
 * impact.
 */
void ic_free_impacts_judge(ic_results *results, const ic_setup *setup, const char *path,
                           const ic_solver *const *solvers, size_t n_solvers);
