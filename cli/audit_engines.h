/* SPDX-License-Identifier: MIT */
/** impactcheck audit --engine: physics engines, each by a program of its own. */
#ifndef IC_CLI_AUDIT_ENGINES_H
#define IC_CLI_AUDIT_ENGINES_H

#include "cli/command.h"

/** Options of the command, by index. */
typedef struct cli_engine_options {
    size_t engine, phases, time_limit, json, quiet;
} cli_engine_options;

/** Returns the exit status. */
int cli_audit_engines(const cli_arguments *arguments, const cli_engine_options *options);

/** Name of the engine number i that there may be a program for, from 0 on; NULL behind the last. */
const char *cli_engine_name(size_t i);

#endif
