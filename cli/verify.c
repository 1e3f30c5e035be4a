/* SPDX-License-Identifier: MIT */
/* impactcheck verify: every solver on every case against what is known for certain. */
#include "validation/verify.h"
#include "bench/cost.h"
#include "cli/command.h"
#include "cli/report_files.h"
#include "cli/row_times.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/registry.h"
#include "reports/number.h"
#include "reports/reports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVER, OWN, FULL, JUNIT, TAP, JSON, MARKDOWN, TIMES, QUIET };

static const cli_option options[] = {
    [SOLVER] = {"--solver", "GLOB", "only solvers whose name matches", false},
    [OWN] = {"--own", NULL, "only solvers of this project, not those of packages that it was built with",
             false},
    [FULL] = {"--full", NULL, "slow checks in full, not in part", false},
    [JUNIT] = CLI_OPTION_JUNIT,
    [TAP] = CLI_OPTION_TAP,
    [JSON] = {"--json", "FILE", "write the results as JSON", false},
    [MARKDOWN] = CLI_OPTION_MARKDOWN,
    [TIMES] = {"--times", NULL, "how long each row took, in JSON and JUnit XML; another run has others", false},
    [QUIET] = {"--quiet", NULL, "no tables and no progress; failures are told on standard error", false},
};

static const cli_report_kind kinds[] = {
    {JUNIT, ic_report_junit}, {TAP, ic_report_tap}, {JSON, cli_report_json}, {MARKDOWN, ic_report_markdown}};

enum { DIGITS = 3, INDENT = 2, NAME_SIZE = 64, MOST_WHAT = 56 };

/* ---- files */

/* Where the rows come from: what may make another machine's differ. */
static json_t *machine_json(void)
{
    const ic_cost_machine machine = ic_cost_this_machine();
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "version", machine.version, "commit", machine.commit,
                     "compiler", machine.compiler, "flags", machine.flags, "cpu", machine.cpu, "arithmetic",
                     machine.arithmetic);
}

static bool write_files(const cli_arguments *arguments, cli_report_files *files, const ic_results *results,
                        const cli_row_times *times)
{
    json_t *json = ic_results_json(results);
    bool good = json != NULL && json_object_set_new(json, "schema", json_string("impactcheck-verify/1")) == 0 &&
                json_object_set_new(json, "title", json_string("impactcheck verify")) == 0 &&
                json_object_set_new(json, "machine", machine_json()) == 0;
    if (good && cli_has(arguments, TIMES)) good = cli_row_times_write(times, json);
    if (!good) cli_no_memory(arguments->command);
    else good = cli_report_files_write(files, arguments, json);
    json_decref(json);
    return good;
}

/* ---- rows for people */

/* Where tolerances come from, each told once and named by its number. */
typedef struct origins {
    const char **texts; /* of the rows */
    size_t n;
} origins;

static size_t origin_number(origins *known, const char *text)
{
    for (size_t i = 0; i < known->n; i++) {
        if (strcmp(known->texts[i], text) == 0) return i + 1;
    }
    known->texts[known->n++] = text;
    return known->n;
}

static void add_number(cli_table *table, double value)
{
    cli_table_cell(table, isnan(value) ? "" : ic_number_short(value, DIGITS).text);
}

static cli_painted verdict_text(ic_verdict verdict)
{
    static const cli_colour colours[] = {
        [IC_PASS] = CLI_GREEN, [IC_FAIL] = CLI_RED, [IC_ERRATUM] = CLI_YELLOW, [IC_SKIPPED] = CLI_DIM};
    return cli_paint(stdout, colours[verdict], ic_verdict_text(verdict));
}

/* What was compared, cut to a table's width at a character's start; --json, --markdown and failures give it whole. */
static void add_what(cli_table *table, const char *what)
{
    char cut[MOST_WHAT + sizeof "…"];
    size_t length = strlen(what);
    if (length > MOST_WHAT) {
        length = MOST_WHAT;
        while (length > 0 && ((unsigned char)what[length] & 0xc0) == 0x80) length--;
        snprintf(cut, sizeof cut, "%.*s…", (int)length, what);
        what = cut;
    }
    cli_table_cell(table, what);
}

static void add_row(cli_table *table, const ic_result *row, origins *known)
{
    char number[32] = "";
    if (row->origin[0] != '\0') snprintf(number, sizeof number, "[%zu]", origin_number(known, row->origin));
    cli_table_cell(table, verdict_text(row->verdict).text);
    cli_table_cell(table, row->check);
    cli_table_cell(table, row->subject);
    cli_table_cell(table, row->solver);
    add_what(table, row->what);
    add_number(table, row->error);
    add_number(table, row->radius);
    add_number(table, row->tolerance);
    cli_table_cell(table, strcmp(row->unit, "1") == 0 ? "" : row->unit);
    cli_table_cell(table, number);
}

static bool print_rows(const ic_results *results)
{
    static const cli_column columns[] = {{"verdict", CLI_LEFT}, {"check", CLI_LEFT},     {"subject", CLI_LEFT},
                                         {"solver", CLI_LEFT},  {"what", CLI_LEFT},      {"error", CLI_LEFT},
                                         {"radius", CLI_LEFT},  {"tolerance", CLI_LEFT}, {"unit", CLI_LEFT},
                                         {"from", CLI_LEFT}};
    origins known = {calloc(results->count + 1, sizeof *known.texts), 0};
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    bool good = known.texts != NULL && table != NULL;
    for (size_t i = 0; i < results->count && good; i++) add_row(table, &results->rows[i], &known);
    good = good && cli_table_print(table, stdout, 0, true);
    if (good && known.n > 0)
        printf("\n%s\n", cli_paint(stdout, CLI_BOLD, "Where the tolerances come from").text);
    for (size_t i = 0; i < known.n && good; i++) printf("%*s[%zu] %s\n", INDENT, "", i + 1, known.texts[i]);
    cli_table_free(table);
    free(known.texts);
    return good;
}

static void print_details(const ic_results *results, ic_verdict verdict, const char *title, cli_colour colour)
{
    if (ic_results_with(results, verdict) == 0) return;
    printf("\n%s\n", cli_paint(stdout, colour, title).text);
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (row->verdict != verdict) continue;
        printf("%*s%s%s%s, %s: %s\n", INDENT, "", row->subject, row->solver[0] == '\0' ? "" : ", ", row->solver,
               row->what, row->detail);
    }
}

/* ---- the summary by case and solver */

typedef struct tally {
    size_t count[IC_SKIPPED + 1]; /* by verdict */
} tally;

/* The case of "case/preset". */
static void case_of(char *name, const ic_result *row)
{
    snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(row->subject, "/"), row->subject);
}

static bool same_case(const ic_result *a, const ic_result *b)
{
    char name_a[NAME_SIZE], name_b[NAME_SIZE];
    case_of(name_a, a);
    case_of(name_b, b);
    return strcmp(name_a, name_b) == 0;
}

static void tally_text(char *text, size_t size, const tally *t)
{
    static const char *const names[] = {"pass", "FAIL", "erratum", "skipped"};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < IC_COUNT(names) && length < size; i++) {
        if (t->count[i] == 0) continue;
        const int n =
            snprintf(text + length, size - length, "%s%zu %s", length > 0 ? ", " : "", t->count[i], names[i]);
        if (n > 0) length += (size_t)n;
    }
}

static void add_tally(cli_table *table, const ic_results *results, size_t first, const char *solver)
{
    tally t = {{0}};
    char text[96];
    for (size_t i = first; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (same_case(row, &results->rows[first]) && strcmp(row->solver, solver) == 0) t.count[row->verdict]++;
    }
    tally_text(text, sizeof text, &t);
    cli_table_cell(table, text[0] == '\0' ? "-" : text);
}

/* A row for the case of row `first`, if that is the first of its case. */
static void add_case(cli_table *table, const ic_results *results, size_t first)
{
    char name[NAME_SIZE];
    for (size_t i = 0; i < first; i++) {
        if (same_case(&results->rows[i], &results->rows[first])) return;
    }
    case_of(name, &results->rows[first]);
    cli_table_cell(table, name);
    for (size_t s = 0; s < ic_solver_count; s++) add_tally(table, results, first, ic_solvers[s]->name);
    add_tally(table, results, first, "");
}

static bool print_summary(const ic_results *results)
{
    const size_t n = ic_solver_count + 2;
    cli_column *columns = calloc(n, sizeof *columns);
    if (columns == NULL) return false;
    columns[0].title = "case";
    columns[n - 1].title = "(no solver)";
    for (size_t s = 0; s < ic_solver_count; s++) columns[s + 1].title = ic_solvers[s]->name;
    cli_table *table = cli_table_new(columns, n);
    free(columns);
    if (table == NULL) return false;
    for (size_t i = 0; i < results->count; i++) add_case(table, results, i);
    printf("\n%s\n", cli_paint(stdout, CLI_BOLD, "Summary").text);
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good;
}

static bool print_results(const ic_results *results)
{
    const size_t failed = ic_results_with(results, IC_FAIL);
    if (!print_rows(results)) return false;
    print_details(results, IC_SKIPPED, "Skipped", CLI_BOLD);
    print_details(results, IC_ERRATUM, "Errata: published values that do not hold", CLI_YELLOW);
    print_details(results, IC_FAIL, "Failed", CLI_RED);
    if (!print_summary(results)) return false;
    const size_t others[] = {ic_results_with(results, IC_PASS), ic_results_with(results, IC_ERRATUM),
                             ic_results_with(results, IC_SKIPPED)};
    if (failed == 0) printf("\n%s", cli_paint(stdout, CLI_GREEN, "All good:").text);
    else printf("\n%s %zu of %zu;", cli_paint(stdout, CLI_RED, "Failed:").text, failed, results->count);
    printf(" %zu passed, %zu %s, %zu skipped\n", others[0], others[1], others[1] == 1 ? "erratum" : "errata",
           others[2]);
    return true;
}

/* ---- the command */

static void watch(const ic_result *row, void *context)
{
    cli_row_times *times = context;
    char text[160];
    cli_row_times_add(times);
    snprintf(text, sizeof text, "check %zu: %s %s %s", times->count, row->check, row->subject, row->solver);
    cli_progress_say(text);
}

static void tell_failures(const cli_command *command, const ic_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (row->verdict != IC_FAIL) continue;
        cli_failure(command, "FAIL %s %s %s: %s: %s", row->check, row->subject, row->solver, row->what,
                    row->detail);
    }
}

/* Tables and files; the exit status. */
static int report(const cli_arguments *arguments, cli_report_files *files, const ic_results *results,
                  const cli_row_times *times)
{
    const cli_command *command = arguments->command;
    if (results->out_of_memory) return cli_no_memory(command);
    if (results->count == 0) return cli_bad_input(command, "no check compares anything in this selection");
    const bool written = write_files(arguments, files, results, times);
    if (cli_has(arguments, QUIET)) tell_failures(command, results);
    else if (!print_results(results)) return cli_no_memory(command);
    if (!written) return CLI_FAILURE;
    return ic_results_with(results, IC_FAIL) > 0 ? CLI_CHECK_FAILED : CLI_GOOD;
}

static int verify(const cli_arguments *arguments, const ic_selection *selection, cli_report_files *files)
{
    cli_row_times times = {0};
    ic_results results = {.watch = watch, .context = &times};
    cli_progress_begin("verify", cli_has(arguments, QUIET));
    cli_row_times_begin(&times);
    ic_verify(&results, selection);
    cli_progress_end();
    const int status = report(arguments, files, &results, &times);
    cli_row_times_free(&times);
    ic_results_free(&results);
    return status;
}

static int run(const cli_arguments *arguments)
{
    const ic_selection selection = {.subjects = arguments->n_operands > 0 ? arguments->operands[0] : NULL,
                                    .solvers = cli_value(arguments, SOLVER),
                                    .own = cli_has(arguments, OWN),
                                    .full = cli_has(arguments, FULL)};
    cli_report_files files = {0};
    char message[512] = "";
    int status = CLI_BAD_INPUT;
    if (!ic_selection_matches(&selection, message, sizeof message)) {
        cli_bad_input(arguments->command, "%s", message);
    } else if (cli_report_files_open(&files, arguments, kinds, IC_COUNT(kinds))) {
        status = verify(arguments, &selection, &files);
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
    .details = "CASE-GLOB selects cases or presets: roller, 'roller/III/*'. Each row compares one thing; its "
               "error is told "
               "beside the radius of the certified answer, and the tolerance beside where it comes from. An "
               "erratum is a "
               "published value that does not hold, with the evidence; it is no failure. Exit status 1: a "
               "check failed.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = run,
};
