/* SPDX-License-Identifier: MIT */
/** The result of a run, and its writers. */
#ifndef IC_CLI_RESULT_H
#define IC_CLI_RESULT_H

#include "cli/file.h"
#include "cli/instance.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_result {
    const cli_instance *instance;
    const ic_solver *solver;
    const ic_log *log;
    ic_work work;
    ic_status status;

    /* in JSON */
    bool with_samples;

    /* for people; verbose: states that are internal, too */
    bool all_events, verbose;

    /* rows of the trajectory begin there */
    double from;

    /* file that was written, or NULL */
    const char *trajectory;
} cli_result;

/** Whether the run got anywhere at all. */
bool cli_result_reached_anything(const cli_result *result);

/** Tables for people, on standard output. false: memory ran out. */
bool cli_result_print(const cli_result *result);

/** One JSON object. */
void cli_result_json(const cli_result *result, FILE *stream);

typedef void cli_row_taker(void *self, double t, int mode, const double *x);

/**
 * Give the rows of a trajectory one by one: samples and both sides of every event, in order of
 * time, not before `from`.
 */
void cli_result_rows(const cli_result *result, cli_row_taker *take, void *self);

/**
 * Whether an output has the name of a state, whose values it repeats for users of JSON: a table
 * needs it once.
 */
bool cli_repeats_state(const ic_case *system, const ic_output *output);

/**
 * The rows as CSV, or in a file of HDF5 that is still to be committed (false: `error` says why
 * not).
 */
void cli_result_trajectory(const cli_result *result, FILE *stream);
bool cli_result_hdf5(const cli_result *result, const cli_file *file, ic_error *error);

/** Name of a mode; NULL where there is none. */
const char *cli_mode_name(const ic_problem *problem, int mode);

#endif
