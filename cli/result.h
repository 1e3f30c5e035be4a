/* SPDX-License-Identifier: MIT */
/** The result of a run, and its writers. */
#pragma once

#include "cli/file.h"
#include "cli/instance.h"
#include "core/log_scope.h"
#include "reference/judge/judge.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_result {
    const cli_instance *instance;
    const ic_solver *solver;
    const ic_log *log;

    /* of outputs, in order of time, if a trajectory is written */
    const ic_peak *peaks;

    size_t n_peaks;

    ic_work work;
    ic_status status;

    /* of the rates, from those of the case's text */
    ic_defect defect;

    /* in JSON */
    bool with_samples;

    /* Verbose tables also show internal states. */
    bool all_events, verbose;

    /* rows of the trajectory begin there */
    double from;

    /* file that was written, or NULL */
    const char *trajectory;
} cli_result;

/** Whether the run reached any time after its start. */
bool cli_result_reached_anything(const cli_result *result);

/** Tables on standard output. false: memory ran out. */
bool cli_result_print(const cli_result *result);

/** One JSON object. */
void cli_result_json(const cli_result *result, FILE *stream);

typedef void cli_row_taker(void *self, double t, int mode, const double *x);

/**
 * Give the rows of a trajectory one by one: samples, both sides of every event, and the peaks of outputs that are seen
 * in neither, in order of time, not before `from`.
 */
void cli_result_rows(const cli_result *result, cli_row_taker *take, void *self);

/**
 * Whether an output has the name of a state. It then repeats the values of the state for users of
 * JSON; a table needs them once.
 */
bool cli_repeats_state(const ic_case *system, const ic_output *output);

/**
 * Write the rows as CSV, or to a HDF5 file that still has to be committed. false: `error` gives the
 * reason.
 */
void cli_result_trajectory(const cli_result *result, FILE *stream);
bool cli_result_hdf5(const cli_result *result, const cli_file *file, ic_error *error);

/** "guard", "time" or "accumulation", by ic_event_kind. */
extern const char *const cli_event_kinds[];

/** Name of a mode; NULL if it does not exist. */
const char *cli_mode_name(const ic_problem *problem, int mode);
