/* SPDX-License-Identifier: MIT */
/**
 * The Python package calls these functions, those of the public header, ic_log_samples and ic_log_events:
 * problems of cases and of case files. The build makes the declarations that cffi reads of it.
 */
#ifndef IC_PYTHON_DOOR_H
#define IC_PYTHON_DOOR_H

#include "core/log_scope.h"

/** A problem, and the solver that is used for it. */
typedef struct ic_door ic_door;

typedef struct ic_door_request {
    /* CASE/PRESET or FILE.yaml[/PRESET]; a case alone: its first preset */
    const char *path;

    /* NULL: that of the preset */
    const char *variant;

    /* each NAME=VALUE */
    const char *const *settings;
    size_t n_settings;

    /* an expression in the parameters, s; NULL: that of the preset */
    const char *until;

    /* NULL: the one that `impactcheck run` takes */
    const char *solver;
} ic_door_request;

/** Open a problem. NULL: `error` states the reason. Release it after its logs. */
ic_door *ic_door_open(const ic_door_request *request, ic_error *error);
void ic_door_close(ic_door *door);

/** They belong to the door. */
const ic_problem *ic_door_problem(const ic_door *door);
const ic_solver *ic_door_solver(const ic_door *door);

/** Name of the preset; NULL: the problem has none. */
const char *ic_door_preset(const ic_door *door);

/** Fill the values of an output: one for each sample. */
void ic_door_output(double *values, const ic_log *log, size_t output);

#endif
