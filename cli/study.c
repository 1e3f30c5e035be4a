/* SPDX-License-Identifier: MIT */
/* impactcheck study: a table of our own, computed, with what it says. */
#include "cli/study.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/json.h"

#include <stdio.h>

enum { OUT, ALL_ROWS, JSON, QUIET };

static const cli_option options[] = {
    [OUT] = {"--out", "FILE", "write the table as CSV", false},
    [ALL_ROWS] = {"--all-rows", NULL, "show every row, not the first ten and the last five", false},
    [JSON] = CLI_OPTION_JSON,
    [QUIET] = {"--quiet", NULL, "no tables and no progress; --json and --out are still written", false},
};

/* ---- without a name */

static int list_json(void)
{
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    ic_json_array(&json, "studies");
    for (size_t i = 0; i < ic_study_count; i++) {
        ic_json_object_line(&json, NULL);
        ic_json_text(&json, "name", ic_studies[i]->name);
        ic_json_text(&json, "title", ic_studies[i]->title);
        ic_json_end(&json);
    }
    ic_json_end(&json);
    ic_json_end(&json);
    return CLI_GOOD;
}

static int list_studies(const cli_arguments *arguments)
{
    static const cli_column columns[] = {{"study", CLI_LEFT}, {"title", CLI_LEFT}};
    if (cli_has(arguments, OUT) || cli_has(arguments, ALL_ROWS) || cli_has(arguments, QUIET)) {
        return cli_bad_input(arguments->command,
                             "options --out, --all-rows and --quiet need the NAME of a study "
                             "(impactcheck study shows all)");
    }
    if (cli_has(arguments, JSON)) return list_json();
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    for (size_t i = 0; i < ic_study_count && table != NULL; i++) {
        cli_table_cell(table, ic_studies[i]->name);
        cli_table_cell(table, ic_studies[i]->title);
    }
    return cli_table_finish(table, 0, false) ? CLI_GOOD : cli_no_memory(arguments->command);
}

/* ---- with one */

static const ic_study *named(const cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    const ic_study *study = ic_study_find(name);
    cli_nearest nearest = {.wrong = name};
    if (study != NULL) return study;
    for (size_t i = 0; i < ic_study_count; i++) cli_nearest_offer(&nearest, ic_studies[i]->name);
    cli_bad_input(arguments->command, "unknown study '%s'%s (impactcheck study shows all)", name,
                  cli_nearest_hint(&nearest).text);
    return NULL;
}

static bool no_contradiction(const cli_arguments *arguments)
{
    if (!cli_has(arguments, ALL_ROWS) || !(cli_has(arguments, QUIET) || cli_has(arguments, JSON))) return true;
    cli_bad_input(arguments->command, "options --all-rows and %s contradict each other: %s",
                  cli_has(arguments, QUIET) ? "--quiet" : "--json",
                  cli_has(arguments, QUIET) ? "no table is shown" : "JSON has every row anyway");
    return false;
}

static bool open_out(const cli_arguments *arguments, cli_file *file)
{
    const char *path = cli_value(arguments, OUT);
    ic_error error;
    if (path == NULL || cli_file_open(file, path, &error)) return true;
    cli_bad_input(arguments->command, "option --out: %s", error.text);
    return false;
}

static int report(const cli_arguments *arguments, const ic_study_data *data, cli_file *file)
{
    ic_error error;
    bool written = true;
    if (file->stream != NULL) {
        cli_study_csv(data, file->stream);
        written = cli_file_commit(file, &error);
        if (!written) cli_failure(arguments->command, "%s", error.text);
    }
    if (cli_has(arguments, JSON)) cli_study_json(data, stdout);
    else if (!cli_has(arguments, QUIET) && !cli_study_print(data, cli_has(arguments, ALL_ROWS)))
        return cli_no_memory(arguments->command);
    return written ? CLI_GOOD : CLI_FAILURE;
}

static int run_study(const cli_arguments *arguments, const ic_study *study, cli_file *file)
{
    ic_study_data data;
    cli_progress_begin(study->title, cli_has(arguments, QUIET));
    const bool good = ic_study_run(&data, study);
    cli_progress_end();
    const int status = good ? report(arguments, &data, file)
                            : cli_failure(arguments->command, "%s: %s", study->name, data.error.text);
    ic_study_clear(&data);
    return status;
}

static int run(const cli_arguments *arguments)
{
    cli_file file = {0};
    if (arguments->n_operands == 0) return list_studies(arguments);
    const ic_study *study = named(arguments);
    if (study == NULL || !no_contradiction(arguments) || !open_out(arguments, &file)) return CLI_BAD_INPUT;
    const int status = run_study(arguments, study, &file);
    cli_file_discard(&file);
    return status;
}

const cli_command cli_study = {
    .name = "study",
    .operands = "[NAME]",
    .least = 0,
    .most = 1,
    .title = "A table of our own that goes beyond a paper, and what it says.",
    .details =
        "Without NAME, the studies, one line each. With NAME, the study is computed: its table and, below it, "
        "its "
        "findings, which are computed from the table. impactcheck list studies --long explains the columns.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = run,
};
