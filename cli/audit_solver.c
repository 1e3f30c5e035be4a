/* SPDX-License-Identifier: MIT */
/* impactcheck audit --solver: a solver of the registry, on traps. */
#include "audit/solver/traps.h"
#include "cli/audit.h"
#include "cli/terminal.h"

#include <math.h>

static int no_such_trap(const cli_arguments *arguments, const char *glob)
{
    ic_nearest nearest = {.wrong = glob};
    for (size_t i = 0; i < ic_trap_count; i++) ic_nearest_offer(&nearest, ic_traps[i]->system->name);
    return cli_bad_input(arguments->command, "no trap matches '%s'%s (impactcheck list traps shows all)", glob,
                         ic_nearest_hint(&nearest).text);
}

int cli_audit_solver(const cli_arguments *arguments)
{
    ic_options asked = {0};
    ic_findings findings = {0};
    const char *glob = cli_value(arguments, CLI_AUDIT_TRAP);
    const ic_solver *solver = cli_solver(arguments, CLI_AUDIT_SOLVER);
    if (solver == NULL || !cli_positive(arguments, CLI_AUDIT_RTOL, 1, &asked.rtol) ||
        !cli_positive(arguments, CLI_AUDIT_STEP, INFINITY, &asked.step))
        return CLI_BAD_INPUT;
    cli_times times = {0};
    ic_traps_work work = {.watch = cli_audit_watch, .context = &times};
    ic_error error = {""};
    if (!cli_jobs(arguments, CLI_AUDIT_JOBS, &work.jobs)) return CLI_BAD_INPUT;
    cli_progress_begin(solver->name, cli_has(arguments, CLI_AUDIT_QUIET));
    const bool done = ic_audit_traps_distributed(&findings, solver, &asked, glob, &work, &error);
    cli_progress_end();
    const cli_audit_result result = {.input = "solver",
                                     .path = solver->name,
                                     .findings = &findings,
                                     .together = true,
                                     .times = cli_has(arguments, CLI_AUDIT_TIMES) ? &times : NULL};
    int status = CLI_FAILURE;
    if (!done) {
        if (error.text[0] != '\0') cli_failure(arguments->command, "%s", error.text);
    } else if (findings.no_memory) status = cli_no_memory(arguments->command);
    else if (findings.count == 0) status = no_such_trap(arguments, glob);
    else status = cli_audit_report(arguments, &result);
    ic_findings_free(&findings);
    cli_times_free(&times);
    return status;
}
