/* SPDX-License-Identifier: MIT */
/**
 * The parameters of a problem, within ranges, that make an output least, subject to bounds on outputs.
 *
 * The search is COBYLA of the library NLopt (M. J. D. Powell 1994): it asks for no derivatives, which runs with events need not have.
 */
#ifndef IC_SWEEP_OPTIMISE_H
#define IC_SWEEP_OPTIMISE_H

#include "core/model.h"
#include "sweep/grid.h"

/** Most bounds on outputs. Parameters: IC_MOST_AXES. */
#define IC_MOST_BOUNDS 8

/** Which value of an output over a run. */
typedef enum ic_measure { IC_MEASURE_FINAL, IC_MEASURE_MIN, IC_MEASURE_MAX } ic_measure;

typedef struct ic_goal {
    size_t output; /* index in the case's table */
    ic_measure measure;
} ic_goal;

typedef struct ic_output_bound {
    ic_goal goal;
    int side;     /* +1: at most `limit`; -1: at least */
    double limit; /* in the output's unit */
} ic_output_bound;

/** What is asked for; strings are borrowed. */
typedef struct ic_optimise_request {
    ic_request request;
    const ic_solver *solver;
    ic_options options;
    const char *minimise;    /* OUTPUT, OUTPUT:max, OUTPUT:min; without a word its value at the end */
    const char *const *over; /* NAME=LOW:HIGH, or NAME=LOW:HIGH:log */
    size_t n_over;
    const char *const
        *subject_to; /* OUTPUT<=VALUE, OUTPUT>=VALUE; VALUE may be `start`: what it is at the start */
    size_t n_subject_to;
    size_t most_runs;
} ic_optimise_request;

/** A run. */
typedef struct ic_design {
    double value[IC_MOST_AXES];   /* of the parameters */
    double objective;             /* NAN where the run failed */
    double bound[IC_MOST_BOUNDS]; /* values of the bounded outputs */
    bool allowed;                 /* it ran to its end, and all bounds hold */
} ic_design;

typedef struct ic_optimisation {
    const ic_optimise_request *request;
    ic_setup setup;
    ic_grid range; /* of each parameter, from `from` to `to` */
    ic_goal goal;
    ic_output_bound bounds[IC_MOST_BOUNDS];
    size_t n_bounds;
    ic_design start, best; /* best: of the runs that are allowed; its objective is NAN where there is none */
    size_t runs, failed;
    char why[256]; /* of the first run that failed, or "" */
    bool no_memory;
} ic_optimisation;

/** Read the request and run its start. false: `error` says what is wrong. Release it with ic_optimise_close in either case. */
bool ic_optimise_open(ic_optimisation *optimisation, const ic_optimise_request *request, ic_error *error);

/** Search. IC_UNSUPPORTED: not in this build; IC_NO_MEMORY. */
ic_status ic_optimise(ic_optimisation *optimisation);

void ic_optimise_close(ic_optimisation *optimisation);

#endif
