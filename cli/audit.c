/* SPDX-License-Identifier: MIT */
/* impactcheck audit: somebody else's contact code, and which known mistakes are in it. */
#include "audit/plugin.h"
#include "cli/audit_text.h"
#include "cli/command.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PLUGIN, TIME_LIMIT, JSON, QUIET };

static const cli_option options[] = {
    [PLUGIN] = {"--plugin", "FILE", "a shared library that exports laws, impact maps or solvers (ic_plugin)",
                false},
    [TIME_LIMIT] = {"--time-limit", "S", "s, for each law, map and solver of a plugin; default 60", false},
    [JSON] = CLI_OPTION_JSON,
    [QUIET] = {"--quiet", NULL, "no tables; --json is still written", false},
};

/* Print what was found. */
static int report(const cli_arguments *arguments, const cli_audit_result *result)
{
    if (cli_has(arguments, JSON)) cli_audit_json(result);
    else if (!cli_has(arguments, QUIET) && !cli_audit_print(result)) return cli_no_memory(arguments->command);
    return ic_findings_with(result->findings, IC_FINDING_FAIL) > 0 ? CLI_CHECK_FAILED : CLI_GOOD;
}

static int audit_plugin(const cli_arguments *arguments)
{
    const char *path = cli_value(arguments, PLUGIN);
    double limit = IC_PLUGIN_TIME_LIMIT;
    ic_audit_report found = {0};
    ic_error error;
    if (!cli_positive(arguments, TIME_LIMIT, INFINITY, &limit)) return CLI_BAD_INPUT;
    if (access(path, R_OK) != 0)
        return cli_bad_input(arguments->command, "option --plugin: '%s' cannot be read: %s", path,
                             strerror(errno));
    int status = CLI_BAD_INPUT;
    if (!ic_audit_plugin(&found, path, limit, &error)) {
        cli_bad_input(arguments->command, "option --plugin: '%s': %s", path, error.text);
    } else if (found.findings.no_memory) {
        status = cli_no_memory(arguments->command);
    } else {
        const cli_audit_result result = {"plugin", path, &found.findings, found.classifications,
                                         found.n_classifications};
        status = report(arguments, &result);
        if (found.crashed) status = CLI_FAILURE;
    }
    ic_audit_report_free(&found);
    return status;
}

static int run(const cli_arguments *arguments)
{
    if (cli_has(arguments, PLUGIN)) return audit_plugin(arguments);
    return cli_bad_input(arguments->command, "nothing to audit: give --plugin FILE");
}

const cli_command cli_audit = {
    .name = "audit",
    .operands = "",
    .least = 0,
    .most = 0,
    .title = "Somebody else's contact code: what it gets right, and which known mistakes are in it.",
    .details =
        "A plugin is a shared library that exports impactcheck_plugin() of the public header. Each of its "
        "laws, "
        "impact maps and solvers is audited in a process of its own: one that crashes, hangs or writes out of "
        "bounds is found out and hides nothing else. Exit status 3 if one crashed or hung.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = run,
};
