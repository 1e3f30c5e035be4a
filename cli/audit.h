/* SPDX-License-Identifier: MIT */
/** The ways in of the command audit: each has a file of its own. */
#ifndef IC_CLI_AUDIT_H
#define IC_CLI_AUDIT_H

#include "cli/audit_text.h"
#include "cli/command.h"

/** Options of all of them. */
enum {
    CLI_AUDIT_PLUGIN,
    CLI_AUDIT_TRAJECTORY,
    CLI_AUDIT_SOLVER,
    CLI_AUDIT_ENGINE,
    CLI_AUDIT_PHASES,
    CLI_AUDIT_CASE,
    CLI_AUDIT_VARIANT,
    CLI_AUDIT_SET,
    CLI_AUDIT_COLUMNS,
    CLI_AUDIT_UNITS,
    CLI_AUDIT_DERIVE,
    CLI_AUDIT_TIME_LIMIT,
    CLI_AUDIT_TRAP,
    CLI_AUDIT_RTOL,
    CLI_AUDIT_STEP,
    CLI_AUDIT_JSON,
    CLI_AUDIT_QUIET,
};

/** Print what was found, as asked for; returns the exit status. */
int cli_audit_report(const cli_arguments *arguments, const cli_audit_result *result);

int cli_audit_plugin(const cli_arguments *arguments);
int cli_audit_trajectory(const cli_arguments *arguments);
int cli_audit_solver(const cli_arguments *arguments);

#endif
