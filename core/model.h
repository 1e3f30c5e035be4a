/* SPDX-License-Identifier: MIT */
/** Numbers that a case gives as expressions, and problems that are made from names. */
#pragma once

#include "core/expression.h"
#include "core/parameters.h"
#include "impactcheck/impactcheck.h"

/** Typical magnitude of each state, always positive. `scale` has n_states elements. */
void ic_state_scales(const ic_problem *problem, double *scale);

/** Expression of the typical time in parameters: the variant's, or the case's. NULL: none. */
const char *ic_time_scale_text(const ic_problem *problem);

/** Typical time, s, always positive. */
double ic_time_scale(const ic_problem *problem);

/** Period of the forcing, s; NAN for an autonomous case. */
double ic_forcing_period(const ic_problem *problem);

/** Set by a handler of signals (an int is sig_atomic_t): runs end at their next step, with IC_TOO_MUCH_WORK. */
extern volatile int ic_stop_requested;

/** Whether a run has to end after so many steps or events. */
static inline bool ic_has_to_end(const ic_options *options, double work)
{
    return work > options->max_steps || ic_stop_requested != 0;
}

/** Options in which all defaults are filled in. */
ic_options ic_options_resolved(const ic_problem *problem, const ic_options *options);

/** The same where the typical time is known. */
ic_options ic_options_for(const ic_options *options, double time_scale);

/** Default step of fixed-step solvers, s. */
double ic_default_step(const ic_problem *problem);

/** A requested problem, as text. Strings are borrowed. */
typedef struct ic_request {
    /* case/preset, or a case alone, which selects its first preset. */
    const char *path;

    /* Settings NAME=VALUE. */
    const char *const *settings;

    size_t n_settings;

    /* End of the run; NULL: that of the preset. */
    const char *until;

    /* Variant; NULL: that of the preset. */
    const char *variant;
} ic_request;

/** A problem that owns all that it points to, except the case. */
typedef struct ic_setup {
    ic_problem problem;
    const ic_preset *preset;

    /* problem.system if the case had to be composed (core/composition.h); otherwise NULL. */
    ic_case *composed;

    ic_parameters parameters;

    /* Values of the parameters. */
    double *par;

    char *until_text;

    /* Forms of its texts; NULL: texts are read in each run. */
    struct ic_given *given;
} ic_setup;

/**
 * Make a problem of a case from names. The path of the request is the name of a preset; NULL: the
 * first one. false: `error` states the error, its place, and a correct alternative.
 */
bool ic_setup_open_case(ic_setup *setup, const ic_case *system, const ic_request *request, ic_error *error);

/**
 * If a solver is made for a single variant, select that variant. false: the solver cannot solve
 * this case; `error` gives the reason.
 */
bool ic_setup_for_solver(ic_setup *setup, const ic_solver *solver, ic_error *error);

/** Set the end of the run, an expression in parameters. */
bool ic_setup_until(ic_setup *setup, const char *until, ic_error *error);

/**
 * Read the texts of the problem once for all its runs. This takes as long as a few runs take to read them.
 * false: memory ran out; the setup can still be used, and each run reads the texts.
 */
bool ic_setup_prepare(ic_setup *setup, ic_error *error);

void ic_setup_close(ic_setup *setup);

/** Value of the parameter, and extremes of the output of a run, of a name that exists. */
double ic_parameter_value(const ic_problem *problem, const char *name);
ic_extreme ic_output_extreme(const ic_log *log, const char *name);
