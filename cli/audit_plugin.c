/* SPDX-License-Identifier: MIT */
/* impactcheck audit --plugin: laws, impact maps and solvers of a shared library. */
#include "audit/common/process.h"
#include "audit/plugin/plugin.h"
#include "cli/audit.h"
#include "cli/terminal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A refused call may be why a check fails, and the findings need not show it. */
static void note_attempts(unsigned attempts)
{
    char list[IC_ATTEMPT_LIST];
    ic_attempts_write(list, sizeof list, attempts);
    if (list[0] != '\0')
        fprintf(stderr,
                "impactcheck audit: the library was refused %s: docs/audit.md, What audited code can do\n",
                list);
}

int cli_audit_plugin(const cli_arguments *arguments)
{
    const char *path = cli_value(arguments, CLI_AUDIT_PLUGIN);
    cli_times times = {0};
    ic_plugin_audit_options options = {
        .time_limit = IC_PLUGIN_TIME_LIMIT, .watch = cli_audit_watch, .context = &times};
    ic_audit_report found = {0};
    ic_error error;
    size_t seed = 0;
    if (!cli_audit_seed(arguments, &seed) ||
        !cli_positive(arguments, CLI_AUDIT_TIME_LIMIT, INFINITY, &options.time_limit) ||
        !cli_jobs(arguments, CLI_AUDIT_JOBS, &options.jobs))
        return CLI_BAD_INPUT;
    options.seed = seed;
    if (access(path, R_OK) != 0)
        return cli_bad_input(arguments->command, "option --plugin: '%s' cannot be read: %s", path,
                             strerror(errno));
    int status = CLI_BAD_INPUT;
    cli_progress_begin("audit", cli_has(arguments, CLI_AUDIT_QUIET));
    const bool done = ic_audit_plugin(&found, path, &options, &error);
    cli_progress_end();
    if (!done) {
        if (found.findings.no_memory) status = cli_no_memory(arguments->command);
        else if (found.refused) status = cli_failure(arguments->command, "%s", error.text);
        else cli_bad_input(arguments->command, "option --plugin: '%s': %s", path, error.text);
    } else if (found.findings.no_memory) {
        status = cli_no_memory(arguments->command);
    } else {
        const cli_audit_result result = {.input = "plugin",
                                         .path = path,
                                         .findings = &found.findings,
                                         .classifications = found.classifications,
                                         .n_classifications = found.n_classifications,
                                         .points = found.points,
                                         .n_points = found.n_points,
                                         .of_plugin = true,
                                         .drawn = true,
                                         .seed = seed,
                                         .times = cli_has(arguments, CLI_AUDIT_TIMES) ? &times : NULL};
        status = cli_audit_report(arguments, &result);
        note_attempts(found.attempts);
        if (found.crashed) status = CLI_FAILURE;
    }
    ic_audit_report_free(&found);
    cli_times_free(&times);
    return status;
}
