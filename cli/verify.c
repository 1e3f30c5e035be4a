/* SPDX-License-Identifier: MIT */
/*
 * impactcheck verify: compares every solver on every case with certified answers and published
 * tables.
 */
#include "validation/checks/verify.h"
#include "bench/cost.h"
#include "cli/command.h"
#include "cli/instance.h"
#include "cli/parts.h"
#include "cli/report_files.h"
#include "cli/terminal.h"
#include "cli/verify_text.h"
#include "registry/registry.h"
#include "reports/reports.h"
#include "validation/distributed.h"

#include <stdio.h>

enum { SOLVER, OWN, FULL, JUNIT, TAP, JSON, MARKDOWN, TIMES, SCHEMA, JOBS, IN_PLACE, VERBOSE, QUIET };

static const cli_option options[] = {
    [SOLVER] = {"--solver", "GLOB", "only solvers whose name matches", false},
    [OWN] = {"--own", NULL, "only solvers of this project, not those of other packages", false},
    [FULL] = {"--full", NULL, "run slow checks completely", false},
    [JUNIT] = {CLI_OPTION_JUNIT},
    [TAP] = {CLI_OPTION_TAP},
    [JSON] = {"--json", "FILE", "write the results as JSON", false},
    [MARKDOWN] = {CLI_OPTION_MARKDOWN},
    [TIMES] = {"--times", NULL,
               "add the processor time of each row to JSON and JUnit XML; it differs between runs", false},
    [SCHEMA] = {"--schema", NULL, "print only the schema of --json, on standard output", false},
    [JOBS] = {CLI_OPTION_JOBS},
    [IN_PLACE] = {"--in-place", NULL,
                  "the case file replaces the built-in case of its name, so that checks of papers apply to it",
                  false},
    [VERBOSE] = {"--verbose", NULL, "as -v: all rows, with error, tolerance and its origin, and the errata",
                 false},
    [QUIET] =
        {"--quiet", NULL,
         "nothing on standard output and no progress; failures and undecided rows are reported on standard error",
         false},
};

static const cli_report_kind kinds[] = {
    {JUNIT, ic_report_junit}, {TAP, ic_report_tap}, {JSON, cli_report_json}, {MARKDOWN, ic_report_markdown}};

/* ---- files */

/* Machine and build of the rows, which may explain differences from those of another machine. */
static json_t *machine_json(void)
{
    const ic_cost_machine machine = ic_cost_this_machine();
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "version", machine.version, "commit", machine.commit,
                     "compiler", machine.compiler, "flags", machine.flags, "cpu", machine.cpu, "arithmetic",
                     machine.arithmetic);
}

static bool write_files(const cli_arguments *arguments, cli_report_files *files, const ic_results *results)
{
    json_t *json = ic_results_json(results, cli_has(arguments, TIMES));
    bool good = json != NULL && json_object_set_new(json, "schema", json_string("impactcheck-verify/1")) == 0 &&
                json_object_set_new(json, "title", json_string("impactcheck verify")) == 0 &&
                json_object_set_new(json, "machine", machine_json()) == 0;
    if (!good) cli_no_memory(arguments->command);
    else good = cli_report_files_write(files, arguments, json);
    json_decref(json);
    return good;
}

/* ---- the command */

static void show_row(const ic_result *row, void *context)
{
    const ic_workers_progress progress = ic_distributed_progress_of(context);
    char text[160];
    snprintf(text, sizeof text, "%s %s %s", row->check, row->subject, row->solver);
    if (progress.parts == 0) cli_progress_say(text);
    else cli_progress_part(progress.done, progress.parts, progress.share, text);
}

static void print_failures(const cli_command *command, const ic_results *results, const char *undecided)
{
    size_t failed = 0;
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (row->verdict != IC_FAIL) continue;
        failed++;
        cli_failure(command, "FAIL %s %s %s: %s: %s", row->check, row->subject, row->solver, row->what,
                    cli_verify_reason(row).text);
    }
    if (failed == 0 && undecided[0] != '\0') cli_failure(command, "undecided: %s", undecided);
}

/* Tables and files; the exit status. */
static int report_results(const cli_arguments *arguments, const ic_selection *selection,
                          cli_report_files *files, const ic_results *results)
{
    const cli_command *command = arguments->command;
    char undecided[512];
    if (results->out_of_memory) return cli_no_memory(command);
    ic_verify_undecided(results, selection, undecided, sizeof undecided);
    const bool written = write_files(arguments, files, results);
    if (cli_has(arguments, QUIET)) print_failures(command, results, undecided);
    else if ((cli_has(arguments, VERBOSE) && !cli_verify_print_rows(results)) ||
             !cli_verify_print_summary(results, undecided, cli_has(arguments, VERBOSE)))
        return cli_no_memory(command);
    if (!written) return CLI_FAILURE;
    return ic_results_with(results, IC_FAIL) > 0 || undecided[0] != '\0' ? CLI_CHECK_FAILED : CLI_GOOD;
}

static int verify_selection(const cli_arguments *arguments, const ic_selection *selection, size_t jobs,
                            cli_report_files *files)
{
    ic_results results = {.watch = show_row};
    ic_error error = {""};
    int status = CLI_FAILURE;
    results.context = &results;
    cli_progress_begin("verify", cli_has(arguments, QUIET));
    const bool done = ic_verify_distributed(&results, selection, jobs, &error);
    cli_progress_end();
    if (done) status = report_results(arguments, selection, files, &results);
    else if (error.text[0] != '\0') cli_failure(arguments->command, "%s", error.text);
    ic_results_free(&results);
    return status;
}

static int print_schema(const cli_command *command)
{
    json_t *schema = ic_result_schema();
    if (schema == NULL) return cli_no_memory(command);
    cli_report_json(schema, stdout);
    json_decref(schema);
    return CLI_GOOD;
}

static int run_verify(const cli_arguments *arguments)
{
    const char *subjects = arguments->n_operands > 0 ? arguments->operands[0] : NULL;
    if (!cli_use_case_file(arguments->command, &subjects)) return CLI_BAD_INPUT;
    if (cli_has(arguments, IN_PLACE) && (ic_registry_is_built_in() || !ic_registry_replace(ic_cases[0])))
        return cli_bad_input(arguments->command, "option --in-place needs a file FILE.yaml with the name of a "
                                                 "built-in case (impactcheck list cases shows all)");
    const ic_selection selection = {.subjects = subjects,
                                    .solvers = cli_value(arguments, SOLVER),
                                    .own = cli_has(arguments, OWN),
                                    .full = cli_has(arguments, FULL)};
    cli_report_files files = {0};
    char message[512] = "";
    int status = CLI_BAD_INPUT;
    size_t jobs;
    if (cli_has(arguments, SCHEMA)) return print_schema(arguments->command);
    if (!cli_jobs(arguments, JOBS, &jobs)) return CLI_BAD_INPUT;
    if (!cli_compatible(arguments, VERBOSE, QUIET, "")) return CLI_BAD_INPUT;
    if (!ic_selection_matches(&selection, message, sizeof message)) {
        cli_bad_input(arguments->command, "%s", message);
    } else if (cli_report_files_open(&files, arguments, kinds, IC_COUNT(kinds))) {
        status = verify_selection(arguments, &selection, jobs, &files);
    }
    cli_report_files_close(&files);
    return status;
}

const cli_command cli_verify = {
    .name = "verify",
    .operands = "[CASE-GLOB]",
    .least = 0,
    .most = 1,
    .title = "Every solver on every case against certified answers and published tables.",
    .details =
        "CASE-GLOB selects cases or presets: roller, 'roller/III/*' (* stands for any text, ? for one character). A row is one comparison: "
        "the sum of its error and the radius of the certified answer must not exceed a tolerance. "
        "The output gives the number of rows that passed, the skipped rows with their reasons, the failures by check and case, and, in the last line, the verdict. "
        "-v prints each row.\n"
        "A row is skipped if its check could not judge it; "
        "an erratum is a statement that does not hold as printed, with the evidence: "
        "neither is a failure. "
        "If no row of a case, or of a solver on a case, was judged, the verdict is undecided.\n"
        "Exit status 1: a check failed, or the verdict is undecided.",
    CLI_OPTIONS(options),
    .run = run_verify,
};
