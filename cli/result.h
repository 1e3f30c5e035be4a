/* SPDX-License-Identifier: MIT */
/** What a run gave, and how it is shown. */
#ifndef IC_CLI_RESULT_H
#define IC_CLI_RESULT_H

#include "cli/request.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_result {
    const cli_request *request;
    const ic_solver *solver;
    const ic_log *log;
    ic_work work;
    ic_status status;
    bool with_samples;      /* in JSON */
    bool all_events;        /* for people */
    double from;            /* rows of the trajectory begin there */
    const char *trajectory; /* file that was written, or NULL */
} cli_result;

/** Whether the run got anywhere at all. */
bool cli_result_reached_anything(const cli_result *result);

/** Tables for people, on standard output. false: memory ran out. */
bool cli_result_print(const cli_result *result);

/** One JSON object. */
void cli_result_json(const cli_result *result, FILE *stream);

/** Samples and both sides of every event as CSV, in order of time, not before `from`. */
void cli_result_trajectory(const cli_result *result, FILE *stream);

/** Name of a mode; NULL where there is none. */
const char *cli_mode_name(const ic_problem *problem, int mode);

#endif
