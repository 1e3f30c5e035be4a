/* SPDX-License-Identifier: MIT */
/**
 * Finds the parameters, within ranges, that minimise an output subject to bounds on outputs.
 *
 * The search is COBYLA of the library NLopt (M. J. D. Powell 1994), which needs no derivatives:
 * runs with events may have none.
 */
#pragma once

#include "core/model.h"
#include "sweep/grid.h"

/** Limit on bounds; that on parameters is IC_MOST_AXES. */
#define IC_MOST_BOUNDS 8

/** The value of an output over a run: its end, maximum or minimum. */
typedef enum ic_measure { IC_MEASURE_FINAL, IC_MEASURE_MIN, IC_MEASURE_MAX } ic_measure;

typedef struct ic_goal {
    /* index in the case's table of outputs */
    size_t output;

    ic_measure measure;
} ic_goal;

typedef struct ic_output_bound {
    ic_goal goal;

    /* +1: at most `limit`; -1: at least */
    int side;

    /* in the output's unit */
    double limit;
} ic_output_bound;

/** The request; strings are borrowed. */
typedef struct ic_optimise_request {
    ic_request request;
    const ic_solver *solver;
    ic_options options;

    /* OUTPUT, OUTPUT:max or OUTPUT:min; OUTPUT alone is its value at the end */
    const char *minimise;

    /* NAME=LOW:HIGH, or NAME=LOW:HIGH:log */
    const char *const *over;

    size_t n_over;

    /* OUTPUT<=VALUE, OUTPUT>=VALUE; the VALUE `start` is the output's value at the start */
    const char *const *subject_to;

    size_t n_subject_to;
    size_t most_runs;
} ic_optimise_request;

/** One run of the search. */
typedef struct ic_design {
    /* values of the parameters */
    double value[IC_MOST_AXES];

    /* NAN where the run failed */
    double objective;

    /* values of the bounded outputs */
    double bound[IC_MOST_BOUNDS];

    /* the run reached its end, and all bounds hold */
    bool allowed;
} ic_design;

typedef struct ic_optimisation {
    const ic_optimise_request *request;
    ic_setup setup;

    /* range of each parameter, from `from` to `to` */
    ic_grid range;

    ic_goal goal;
    ic_output_bound bounds[IC_MOST_BOUNDS];
    size_t n_bounds;

    /* best: the best allowed run; its objective is NAN where no run is allowed */
    ic_design start, best;

    size_t runs, failed;

    /* reason of the first run that failed, or "" */
    char why[256];

    bool no_memory;
} ic_optimisation;

/**
 * Reads the request and runs its start. false: `error` states the mistake. Release with
 * ic_optimise_close in either case.
 */
bool ic_optimise_open(ic_optimisation *optimisation, const ic_optimise_request *request, ic_error *error);

/** Runs the search. IC_UNSUPPORTED: not in this build; or IC_NO_MEMORY. */
ic_status ic_optimise(ic_optimisation *optimisation);

void ic_optimise_close(ic_optimisation *optimisation);
