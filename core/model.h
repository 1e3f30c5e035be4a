/* SPDX-License-Identifier: MIT */
/** Numbers that a case states as expressions, and problems made from names. */
#ifndef IC_CORE_MODEL_H
#define IC_CORE_MODEL_H

#include "core/expression.h"
#include "core/parameters.h"
#include "impactcheck/impactcheck.h"

/** Typical magnitude of each state, always positive. `scale` has n_states elements. */
void ic_state_scales(const ic_problem *problem, double *scale);

/** Typical time, s, always positive. */
double ic_time_scale(const ic_problem *problem);

/** Period of the forcing, s; NAN for an autonomous case. */
double ic_forcing_period(const ic_problem *problem);

/** Options with every default filled in. */
ic_options ic_options_resolved(const ic_problem *problem, const ic_options *options);

/** Step of fixed-step solvers where none is asked for, s. */
double ic_default_step(const ic_problem *problem);

/** What is asked for on a command line, as text. Strings are borrowed. */
typedef struct ic_request {
    const char *path;            /* case/preset, or a case alone: its first preset */
    const char *const *settings; /* NAME=VALUE */
    size_t n_settings;
    const char *until;   /* end of the run, NULL: the preset's */
    const char *variant; /* NULL: the preset's */
} ic_request;

/** A problem that owns what it points to. */
typedef struct ic_setup {
    ic_problem problem;
    const ic_preset *preset;
    ic_case *composed; /* the case on a law: problem.system, where the variant has a law; else NULL */
    ic_parameters parameters;
    double *par; /* their values */
    char *until_text;
} ic_setup;

/**
 * Make a problem of a case from names. The request's path is the name of a preset, NULL: the first.
 * false: `error` says what was wrong, where, and what would be right.
 */
bool ic_setup_open_case(ic_setup *setup, const ic_case *system, const ic_request *request, ic_error *error);

/**
 * Put the problem into the variant that a solver is made for, if it is made for one. false: the solver cannot solve
 * this case; `error` says why.
 */
bool ic_setup_for_solver(ic_setup *setup, const ic_solver *solver, ic_error *error);

/** Change the end of the run, an expression in parameters. */
bool ic_setup_until(ic_setup *setup, const char *until, ic_error *error);

void ic_setup_close(ic_setup *setup);

#endif
