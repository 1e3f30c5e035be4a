/* SPDX-License-Identifier: MIT */
/* impactcheck study: computes a table of our own, or the curves of a figure, with findings. */
#include "cli/study.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/instance.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "validation/studies/figure_study.h"

#include <stdio.h>
#include <string.h>

enum { OUT, ALL_ROWS, JSON, QUIET };

static const cli_option options[] = {
    [OUT] = {"--out", "FILE", "write the table as CSV", false},
    [ALL_ROWS] = {"--all-rows", NULL, "show every row, not only the first ten and the last five", false},
    [JSON] = {CLI_OPTION_JSON},
    [QUIET] = {"--quiet", NULL, "no tables or progress; --json and --out are still written", false},
};

/* ---- studies, and the figures of cases */

/* Name and title of study i; false: there are fewer. The figures of all cases follow the studies. */
static bool name_study(size_t i, ic_hint *name, const char **title)
{
    const size_t own = ic_registry_is_built_in() ? ic_study_count : 0;
    if (i < own) {
        snprintf(name->text, sizeof name->text, "%s", ic_studies[i]->name);
        *title = ic_studies[i]->title;
        return true;
    }
    i -= own;
    for (size_t c = 0; c < ic_case_count; i -= ic_cases[c++]->n_figures) {
        if (i >= ic_cases[c]->n_figures) continue;
        snprintf(name->text, sizeof name->text, "%.60s/%.60s", ic_cases[c]->name, ic_cases[c]->figures[i].name);
        *title = ic_cases[c]->figures[i].title;
        return true;
    }
    return false;
}

/* ---- without a name */

static int list_json(void)
{
    ic_json json = ic_json_to(stdout);
    ic_hint name;
    const char *title;
    ic_json_object(&json, NULL);
    ic_json_array(&json, "studies");
    for (size_t i = 0; name_study(i, &name, &title); i++) {
        IC_JSON_ROW(&json, NULL, IC_TEXT("name", name.text), IC_TEXT("title", title));
    }
    ic_json_end(&json);
    ic_json_end(&json);
    return CLI_GOOD;
}

static int list_studies(const cli_arguments *arguments)
{
    ic_hint name;
    const char *title;
    if (cli_has(arguments, OUT) || cli_has(arguments, ALL_ROWS) || cli_has(arguments, QUIET)) {
        return cli_bad_input(
            arguments->command,
            "options --out, --all-rows and --quiet need the NAME of a study (impactcheck study shows all)");
    }
    if (cli_has(arguments, JSON)) return list_json();
    cli_table *table = cli_table_of("study|title");
    for (size_t i = 0; name_study(i, &name, &title); i++) CLI_ROW(table, name.text, title);
    return cli_table_finish(table, 0, false) ? CLI_GOOD : cli_no_memory(arguments->command);
}

/* ---- with one */

static void print_fault(const char *name, const char *key, size_t offset, const char *text, void *context)
{
    (void)offset;
    cli_refuse(context, "figure '%s', %s: %s", name, key, text);
}

/* A study, or the figure CASE/FIGURE (`made`: to be released). NULL: the reason was reported. */
static const ic_study *find_study(const cli_arguments *arguments, const char *wanted, const ic_study **made)
{
    const ic_study *study = ic_study_find(wanted);
    ic_nearest nearest = {.wrong = wanted};
    ic_hint name;
    const char *title;
    if (study != NULL) return study;
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t i = 0; i < ic_cases[c]->n_figures; i++) {
            snprintf(name.text, sizeof name.text, "%.60s/%.60s", ic_cases[c]->name,
                     ic_cases[c]->figures[i].name);
            if (strcmp(name.text, wanted) != 0) continue;
            *made = ic_figure_study_new(ic_cases[c], i, print_fault, (void *)arguments->command);
            return *made;
        }
    }
    for (size_t i = 0; name_study(i, &name, &title); i++) ic_nearest_offer(&nearest, name.text);
    cli_nearest_unknown(&nearest, arguments->command, "study", "study");
    return NULL;
}

static int report_study(const cli_arguments *arguments, const ic_study_data *data, cli_file *file)
{
    if (file->stream != NULL) cli_study_csv(data, file->stream);
    const bool written = cli_file_finish(file, arguments, NULL);
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
    const char *wanted = arguments->n_operands == 0 ? NULL : arguments->operands[0];
    const ic_study *made = NULL;
    if (!cli_use_case_file(arguments->command, &wanted)) return CLI_BAD_INPUT;
    /* FILE.yaml alone */
    const bool whole = wanted != NULL && !ic_registry_is_built_in() && strchr(wanted, '/') == NULL;
    if (wanted == NULL || whole) return list_studies(arguments);
    const ic_study *study = find_study(arguments, wanted, &made);
    int status = CLI_BAD_INPUT;
    if (study != NULL && cli_compatible(arguments, ALL_ROWS, QUIET, "no table is shown") &&
        cli_compatible(arguments, ALL_ROWS, JSON, "JSON has every row anyway") &&
        cli_file_open_option(&file, arguments, OUT))
        status = run_study(arguments, study, &file);
    cli_file_discard(&file);
    ic_figure_study_free(made);
    return status;
}

const cli_command cli_study = {
    .name = "study",
    .operands = "[NAME|FILE.yaml[/FIGURE]]",
    .least = 0,
    .most = 1,
    .title = "A table of our own that goes beyond a paper, and its findings.",
    .details =
        "Without NAME, the command lists the studies, one on a line, and the figures of cases, CASE/FIGURE. "
        "With NAME, it computes the study, or the curves of the figure beside its published points: "
        "its table and, below it, its findings, which are computed from the table. "
        "impactcheck list studies --long explains the columns.",
    CLI_OPTIONS(options),
    .run = show_study,
};
