/* SPDX-License-Identifier: MIT */
/**
 * The Python package calls these functions, those of the public header, ic_log_samples and ic_log_events:
 * problems of cases and of case files, and audits of
 * functions in this process. The build makes the declarations that cffi reads of it.
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

    /* parameters and states at the start by which it is differentiated (ic_setup_derived) */
    const char *const *directions;
    size_t n_directions;
} ic_door_request;

/** Open a problem. NULL: `error` states the reason. Release it after its logs. */
ic_door *ic_door_open(const ic_door_request *request, ic_error *error);
void ic_door_close(ic_door *door);

/** They belong to the door. */
const ic_problem *ic_door_problem(const ic_door *door);
const ic_solver *ic_door_solver(const ic_door *door);

/** Name of the preset; NULL: the problem has none. */
const char *ic_door_preset(const ic_door *door);

/** How a law's functions are called that are Python's (ic_law_host of audit/law/law.h). */
typedef struct ic_door_host {
    /* os.fork */
    int (*copy_process)(void);

    /* forces in n states of a contact, N */
    void (*forces)(double *force, const ic_law *law, const double *d, const double *v, size_t n, double memory,
                   const double *par);
} ic_door_host;

/**
 * The audit of a law or of an impact map whose functions are Python's. The answer is that of `impactcheck audit --json`,
 * to be released by ic_door_free. NULL: `error` states the reason.
 */
char *ic_door_audit_law(const ic_law *law, const ic_door_host *host, unsigned long seed, ic_error *error);
char *ic_door_audit_impact_map(const ic_impact_map *map, unsigned long seed, ic_error *error);
void ic_door_free(char *text);

/** A run. SIGINT ends it in the first thread, with IC_TOO_MUCH_WORK; then its handler of before is called as well. */
ic_status ic_door_run(const ic_door *door, ic_log *log, const ic_options *options);

/** Fill the values of an output: one for each sample. */
void ic_door_output(double *values, const ic_log *log, size_t output);

#endif
