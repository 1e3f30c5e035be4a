/* SPDX-License-Identifier: MIT */
/** A problem made from the operand CASE/PRESET and the options --variant, --set and --until. */
#ifndef IC_CLI_REQUEST_H
#define IC_CLI_REQUEST_H

#include "cli/command.h"
#include "core/model.h"

typedef struct cli_request {
    ic_setup setup;

    /* the same without the settings */
    ic_setup preset;
} cli_request;

/**
 * The values of --set, to be freed; NULL: what was wrong (a parameter set twice) has been printed.
 */
const char **cli_settings(const cli_arguments *arguments, size_t set, size_t *n);

/**
 * false: what was wrong has been printed. The request is to be zero before, and closed in either
 * case.
 */
bool cli_request_open(cli_request *request, const cli_arguments *arguments, size_t variant, size_t set,
                      size_t until);
/** The same for a path that is no operand. */
bool cli_request_open_path(cli_request *request, const cli_arguments *arguments, const char *path,
                           size_t variant, size_t set, size_t until);
void cli_request_close(cli_request *request);

/**
 * What is asked for, for people, with one more fact: "solver", "rk4_henon: ...". false: memory ran
 * out.
 */
bool cli_request_print(const cli_request *request, const char *fact, const char *text);

/** The same without the end of a run: for answers that have none. */
bool cli_request_print_model(const cli_request *request, const char *fact, const char *text);

#endif
