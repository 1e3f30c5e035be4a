/* SPDX-License-Identifier: MIT */
/** Audit inputs. Each is in a file of its own. */
#pragma once

#include "audit/trajectory/trajectory_audit.h"
#include "cli/audit_text.h"
#include "cli/instance.h"
#include "cli/parts.h"

/** Options of all of them. */
enum {
    CLI_AUDIT_PLUGIN,
    CLI_AUDIT_COMMAND,
    CLI_AUDIT_TRAJECTORY,
    CLI_AUDIT_SOLVER,
    CLI_AUDIT_ENGINE,
    CLI_AUDIT_SCENES,
    CLI_AUDIT_CONFIG,
    CLI_AUDIT_THREAD,
    CLI_AUDIT_RESULTS,
    CLI_AUDIT_PHASES,
    CLI_AUDIT_CASE,
    CLI_AUDIT_VARIANT,
    CLI_AUDIT_SET,
    CLI_AUDIT_UNTIL,
    CLI_AUDIT_SAMPLES,
    CLI_AUDIT_ASK,
    CLI_AUDIT_ORDER,
    CLI_AUDIT_COLUMNS,
    CLI_AUDIT_UNITS,
    CLI_AUDIT_ACCEPT,
    CLI_AUDIT_TIME_LIMIT,
    CLI_AUDIT_SEED,
    CLI_AUDIT_LENIENT,
    CLI_AUDIT_TRAP,
    CLI_AUDIT_RTOL,
    CLI_AUDIT_STEP,
    CLI_AUDIT_PLOT,
    CLI_AUDIT_SHOW,
    CLI_AUDIT_JUNIT,
    CLI_AUDIT_TAP,
    CLI_AUDIT_MARKDOWN,
    CLI_AUDIT_JSON,
    CLI_AUDIT_JOBS,
    CLI_AUDIT_TIMES,
    CLI_AUDIT_ALLOW_UNDECIDED,
    CLI_AUDIT_QUIET,
    CLI_AUDIT_ROWS,
};

/**
 * Exit status for the verdict as a whole. Undecided counts as failed, unless --allow-undecided is
 * given.
 */
int cli_audit_status(const cli_arguments *arguments, const cli_audit_result *result);

/** The seed of what is drawn: of --seed, or another one in each run. false: the option is refused. */
bool cli_audit_seed(const cli_arguments *arguments, size_t *seed);

/** Keep the processor time of a part, and show it as progress; `times` is a cli_times. */
void cli_audit_watch(const char *part, double processor, void *times);

/** The longest parts, if --times asks for them as text. false: memory ran out. */
bool cli_audit_show_times(const cli_arguments *arguments, const cli_audit_result *result);

/** Print the findings as the options require; returns the exit status. */
int cli_audit_report(const cli_arguments *arguments, const cli_audit_result *result);

/** The same of an audit of rows. */
int cli_audit_report_rows(const cli_arguments *arguments, const cli_instance *instance,
                          const ic_trajectory_audit *audit);

/**
 * Make the problem that --case and related options request. false: a message has been printed. As for
 * cli_instance_open.
 */
bool cli_audit_open_case(cli_instance *instance, const cli_arguments *arguments);

/** Meaning of the columns: --columns, --units. */
ic_trajectory_reading cli_audit_reading(const cli_arguments *arguments);

/** Read the accepted deviation of rows, --accept. false: a message has been printed. */
bool cli_audit_trajectory_options(const cli_arguments *arguments, ic_trajectory_options *options);

/** Report states that are not in a file, and the source of their values. */
void cli_audit_remark_on_sources(const cli_arguments *arguments, const ic_trajectory *tr,
                                 const ic_problem *problem);

/**
 * Write the files of --junit, --tap and --markdown. Undecided findings are skipped there; an
 * undecided verdict is a failure of its own, unless --allow-undecided. false: what was wrong has
 * been printed.
 */
bool cli_audit_write_reports(const cli_arguments *arguments, const cli_audit_result *result);

int cli_audit_plugin(const cli_arguments *arguments);
int cli_audit_command(const cli_arguments *arguments);
int cli_audit_trajectory(const cli_arguments *arguments);
int cli_audit_solver(const cli_arguments *arguments);
int cli_audit_engines(const cli_arguments *arguments);

/** Public reports of faults: --thread. */
int cli_audit_threads(const cli_arguments *arguments);
