/* SPDX-License-Identifier: MIT */
/* impactcheck audit --trajectory: compares the rows of another program with a case. */
#include "audit/common/tolerances.h"
#include "audit/trajectory/trajectory_audit.h"
#include "cli/audit.h"
#include "cli/audit_rows.h"
#include "cli/instance.h"
#include "cli/terminal.h"
#include "core/input_file.h"

#include <stdio.h>

/* Every assumption is reported. */
void cli_audit_remark_on_sources(const cli_arguments *arguments, const ic_trajectory *tr,
                                 const ic_problem *problem)
{
    static const char *const how[] = {
        [IC_FROM_FILE] = NULL,
        [IC_FROM_DIFFERENCES] = "computed from differences",
        [IC_FROM_MODEL] = "reconstructed from its own equation of motion",
        [IC_FROM_TRACKING] = "followed along the rows from the start of the case",
    };
    if (cli_has(arguments, CLI_AUDIT_QUIET)) return;
    for (size_t i = 0; i < tr->n_states; i++) {
        if (how[tr->source[i]] == NULL) continue;
        cli_remark(arguments->command, "%s is not in the file: %s", problem->system->states[i].name,
                   how[tr->source[i]]);
    }
}

ic_trajectory_reading cli_audit_reading(const cli_arguments *arguments)
{
    return (ic_trajectory_reading){cli_value(arguments, CLI_AUDIT_COLUMNS),
                                   cli_value(arguments, CLI_AUDIT_UNITS),
                                   cli_value(arguments, CLI_AUDIT_DERIVE)};
}

bool cli_audit_trajectory_options(const cli_arguments *arguments, ic_trajectory_options *options)
{
    return cli_positive(arguments, CLI_AUDIT_ACCEPT, ic_tolerance_accuracy_limit.value, &options->accept);
}

static FILE *open_file(const cli_arguments *arguments, const char *path)
{
    ic_error error;
    FILE *stream = ic_input_file_open(path, &error);
    if (stream == NULL) cli_bad_input(arguments->command, "option --trajectory: %s", error.text);
    return stream;
}

/* A pipe can be read only once, so that a peek at it needs a temporary file. Closes `stream` if it
   returns another; NULL: no room. */
static FILE *make_seekable(FILE *stream)
{
    char part[4096];
    if (fseek(stream, 0, SEEK_SET) == 0) return stream;
    FILE *spool = tmpfile();
    bool good = spool != NULL;
    for (size_t n; good && (n = fread(part, 1, sizeof part, stream)) > 0;)
        good = fwrite(part, 1, n, spool) == n;
    good = good && ferror(stream) == 0 && fseek(spool, 0, SEEK_SET) == 0;
    fclose(stream);
    if (good || spool == NULL) return spool;
    fclose(spool);
    return NULL;
}

static bool read_trajectory(const cli_arguments *arguments, const ic_problem *problem, FILE *stream,
                            ic_trajectory *tr)
{
    const ic_trajectory_reading reading = cli_audit_reading(arguments);
    const char *path = cli_value(arguments, CLI_AUDIT_TRAJECTORY);
    ic_error error;
    const bool good = ic_trajectory_read(tr, stream, path, problem, &reading, &error);
    if (!good) cli_bad_input(arguments->command, "%s", error.text);
    return good;
}

int cli_audit_report_rows(const cli_arguments *arguments, const cli_instance *instance,
                          const ic_trajectory_audit *audit)
{
    const bool by_command = cli_has(arguments, CLI_AUDIT_COMMAND);
    cli_audit_result result = cli_audit_rows_result(audit);
    result.input = by_command ? "command" : "trajectory";
    result.path = cli_value(arguments, by_command ? CLI_AUDIT_COMMAND : CLI_AUDIT_TRAJECTORY);
    const bool written = cli_audit_write_reports(arguments, &result);
    if (cli_has(arguments, CLI_AUDIT_JSON)) cli_audit_rows_json(instance, audit, stdout);
    else if (cli_has(arguments, CLI_AUDIT_QUIET)) cli_audit_print_if_not_good(&result);
    else if (!cli_audit_rows_print(instance, audit)) return cli_no_memory(arguments->command);
    return written ? cli_audit_status(arguments, &result) : CLI_FAILURE;
}

/* Drops the rows after --until. */
static bool cut_at_end(const cli_arguments *arguments, const ic_problem *problem, ic_trajectory *tr)
{
    if (!cli_has(arguments, CLI_AUDIT_UNTIL)) return true;
    while (tr->n > 0 && tr->t[tr->n - 1] > problem->t_end) tr->n--;
    if (tr->n > 0) return true;
    return cli_refuse(arguments->command,
                      "option --until: the end must be later than the first row of '%s', t = %.9g s", tr->path,
                      tr->t[0]);
}

static int audit_rows(const cli_arguments *arguments, const cli_instance *instance, FILE *stream)
{
    const ic_problem *problem = &instance->setup.problem;
    ic_trajectory trajectory;
    ic_trajectory_audit audit;
    ic_trajectory_options options = {0};
    if (!cli_audit_trajectory_options(arguments, &options)) return CLI_BAD_INPUT;
    if (!read_trajectory(arguments, problem, stream, &trajectory)) return CLI_BAD_INPUT;
    if (!cut_at_end(arguments, problem, &trajectory)) {
        ic_trajectory_close(&trajectory);
        return CLI_BAD_INPUT;
    }
    cli_audit_remark_on_sources(arguments, &trajectory, problem);
    cli_progress_begin("audit", cli_has(arguments, CLI_AUDIT_QUIET));
    const bool done = ic_audit_trajectory(&audit, &trajectory, problem, &options);
    cli_progress_end();
    const int status =
        done ? cli_audit_report_rows(arguments, instance, &audit) : cli_no_memory(arguments->command);
    ic_trajectory_audit_close(&audit);
    ic_trajectory_close(&trajectory);
    return status;
}

/* ---- an impact by velocities alone */

static int audit_impact_alone(const cli_arguments *arguments, const cli_instance *instance, FILE *stream)
{
    const ic_trajectory_reading reading = cli_audit_reading(arguments);
    const char *path = cli_value(arguments, CLI_AUDIT_TRAJECTORY);
    ic_impact_rows rows;
    ic_trajectory_audit audit;
    ic_trajectory_options options = {0};
    ic_error error;
    if (!cli_audit_trajectory_options(arguments, &options)) return CLI_BAD_INPUT;
    if (cli_has(arguments, CLI_AUDIT_UNTIL))
        return cli_bad_input(arguments->command,
                             "option --until cannot be used for an impact that is given by velocities alone");
    const bool good = ic_impact_rows_read(&rows, stream, path, &reading, &error);
    if (!good) return cli_bad_input(arguments->command, "%s", error.text);
    const ic_trajectory shell = {.path = path, .n = rows.n};
    const bool done = ic_audit_impact_alone(&audit, &rows, &shell, &instance->setup.problem, &options);
    const int status =
        done ? cli_audit_report_rows(arguments, instance, &audit) : cli_no_memory(arguments->command);
    ic_trajectory_audit_close(&audit);
    ic_impact_rows_close(&rows);
    return status;
}

static int audit_file(const cli_arguments *arguments, const cli_instance *instance)
{
    const ic_problem *problem = &instance->setup.problem;
    const ic_trajectory_reading reading = cli_audit_reading(arguments);
    const char *path = cli_value(arguments, CLI_AUDIT_TRAJECTORY);
    FILE *stream = open_file(arguments, path);
    bool alone = false;
    if (stream == NULL) return CLI_BAD_INPUT;
    /* The line of names shows which kind of rows the file has. */
    if (problem->system->impact != NULL) {
        stream = make_seekable(stream);
        if (stream == NULL)
            return cli_bad_input(arguments->command,
                                 "option --trajectory: '%s' cannot be read or copied to a temporary file",
                                 path);
        alone = ic_impact_rows_are(stream, path, problem, &reading);
        rewind(stream);
    }
    const int status =
        alone ? audit_impact_alone(arguments, instance, stream) : audit_rows(arguments, instance, stream);
    fclose(stream);
    return status;
}

int cli_audit_with_case(const cli_arguments *arguments,
                        int (*audit)(const cli_arguments *arguments, const cli_instance *instance))
{
    cli_instance instance = {0};
    int status = CLI_BAD_INPUT;
    if (!cli_has(arguments, CLI_AUDIT_CASE)) {
        return cli_bad_input(
            arguments->command,
            "give --case, the case and preset of the trajectory (impactcheck list presets shows all)");
    }
    if (cli_instance_open_path(&instance, arguments, cli_value(arguments, CLI_AUDIT_CASE), CLI_AUDIT_VARIANT,
                               CLI_AUDIT_SET, CLI_AUDIT_UNTIL))
        status = audit(arguments, &instance);
    cli_instance_close(&instance);
    return status;
}

int cli_audit_trajectory(const cli_arguments *arguments)
{
    return cli_audit_with_case(arguments, audit_file);
}
