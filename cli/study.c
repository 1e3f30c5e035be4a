/* SPDX-License-Identifier: MIT */
/* impactcheck study: computes a table of our own, with findings. */
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
    [ALL_ROWS] = {"--all-rows", NULL, "show every row, not only the first ten and the last five", false},
    [JSON] = CLI_OPTION_JSON,
    [QUIET] = {"--quiet", NULL, "no tables or progress; --json and --out are still written", false},
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
    if (cli_has(arguments, OUT) || cli_has(arguments, ALL_ROWS) || cli_has(arguments, QUIET)) {
        return cli_bad_input(
            arguments->command,
            "options --out, --all-rows and --quiet need the NAME of a study (impactcheck study shows all)");
    }
    if (cli_has(arguments, JSON)) return list_json();
    cli_table *table = cli_table_of("study|title");
    for (size_t i = 0; i < ic_study_count; i++) {
        CLI_ROW(table, ic_studies[i]->name, ic_studies[i]->title);
    }
    return cli_table_finish(table, 0, false) ? CLI_GOOD : cli_no_memory(arguments->command);
}

/* ---- with one */

static const ic_study *find_study(const cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    const ic_study *study = ic_study_find(name);
    cli_nearest nearest = {.wrong = name};
    if (study != NULL) return study;
    for (size_t i = 0; i < ic_study_count; i++) cli_nearest_offer(&nearest, ic_studies[i]->name);
    cli_nearest_unknown(&nearest, arguments->command, "study", "study");
    return NULL;
}

static int report_study(const cli_arguments *arguments, const ic_study_data *data, cli_file *file)
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
    const int status = good ? report_study(arguments, &data, file)
                            : cli_failure(arguments->command, "%s: %s", study->name, data.error.text);
    ic_study_clear(&data);
    return status;
}

static int show_study(const cli_arguments *arguments)
{
    cli_file file = {0};
    if (arguments->n_operands == 0) return list_studies(arguments);
    const ic_study *study = find_study(arguments);
    if (study == NULL ||
        !(cli_compatible(arguments, ALL_ROWS, QUIET, "no table is shown") &&
          cli_compatible(arguments, ALL_ROWS, JSON, "JSON has every row anyway")) ||
        !cli_file_open_option(&file, arguments, OUT))
        return CLI_BAD_INPUT;
    const int status = run_study(arguments, study, &file);
    cli_file_discard(&file);
    return status;
}

const cli_command cli_study = {
    .name = "study",
    .operands = "[NAME]",
    .least = 0,
    .most = 1,
    .title = "A table of our own that goes beyond a paper, and its findings.",
    .details = "Without NAME, the command lists the studies, one on a line. With NAME, it computes the study: "
               "its table and, below it, its findings, which are computed from the table. "
               "impactcheck list studies --long explains the columns.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = show_study,
};
