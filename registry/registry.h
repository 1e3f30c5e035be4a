/* SPDX-License-Identifier: MIT */
/**
 * The built-in cases, solvers, rigid impact maps and contact-force laws: one line for each in the
 * .def files.
 */
#pragma once

#include "core/model.h"
#include "core/names.h"
#include "impactcheck/impactcheck.h"

extern const ic_case *const *ic_cases;
extern size_t ic_case_count;
extern const ic_solver *const ic_solvers[];
extern const size_t ic_solver_count;
extern const ic_impact_map *const ic_impact_maps[];
extern const size_t ic_impact_map_count;
extern const ic_multi_impact_map *const ic_multi_impact_maps[];
extern const size_t ic_multi_impact_map_count;
extern const ic_law *const ic_laws[];
extern const size_t ic_law_count;

/**
 * Make a problem from names. The path begins with the name of a case. false: `error` gives the
 * mistake, its place, and the correct form.
 */
bool ic_setup_open(ic_setup *setup, const ic_request *request, ic_error *error);

/** The case of a request, with as many elements as its settings select. NULL: `error` states why. */
const ic_case *ic_setup_case(const ic_request *request, ic_error *error);

/**
 * The same problem on the case as read again from its text, with all formulas as operations
 * (ic_casefile_exact). It borrows the parameters of `problem`, and is closed before that. false:
 * `error` gives the reason.
 */
bool ic_setup_exact(ic_setup *exact, const ic_problem *problem, ic_error *error);

struct ic_casefile;

/**
 * The same problem with the derivatives of its states by n parameters and states at the start (ic_casefile_derived).
 * `derived` is released after the setup; so is the first problem.
 */
bool ic_setup_derived(ic_setup *setup, struct ic_casefile **derived, const ic_problem *problem,
                      const char *const *names, size_t n, ic_error *error);

/**
 * The most accurate general solver of a variant: piecewise_linear if it is linear, otherwise
 * rk45_bisection.
 */
const ic_solver *ic_accurate_solver(const ic_variant *variant);

/**
 * Let a case replace the built-in ones: every list, check and selection has this case alone. It
 * outlives the process's use of it. NULL: the built-in ones again. Not to be called once threads or
 * processes exist.
 */
void ic_registry_use(const ic_case *system);

/**
 * If a path is that of a case file, FILE.yaml[/PRESET], let its case replace the built-in ones, and
 * change the path to CASE[/PRESET]. false: `error` gives the reason.
 */
bool ic_registry_use_file(const char **path, ic_error *error);

/** Whether the cases are the built-in ones. */
bool ic_registry_is_built_in(void);

/** Let a case replace the built-in case of its name. false: that case does not exist. */
bool ic_registry_replace(const ic_case *system);

/** Whether a solver is that of another package, by its name. */
bool ic_is_peer(const char *solver);

/** Other settings of a peer of this build (core/tunings.h); the last one has no name. */
const struct ic_tuning *ic_solver_tunings(const char *solver);
