/* SPDX-License-Identifier: MIT */
/* impactcheck compare: compares new results of bench with old ones. */
#include "bench/compare.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/json.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>

enum { ERROR_FACTOR, WORK_FACTOR, TIME_FACTOR, ALPHA, NO_TIMES, PART, JSON, QUIET };

static const cli_option options[] = {
    [ERROR_FACTOR] = {"--error-factor", "F", "an error is worse above F times the old one; default 2", false},
    [WORK_FACTOR] = {"--work-factor", "F",
                     "a work count is worse above F times the old one; "
                     "default 1, or 1.1 if the C libraries round differently",
                     false},
    [TIME_FACTOR] = {"--time-factor", "F",
                     "a time is worse above F times the old one; default 1.25, between two machines 2.5",
                     false},
    [ALPHA] = {"--alpha", "P", "level of the Mann-Whitney test, for all rows together; default 0.01", false},
    [NO_TIMES] = {"--no-times", NULL, "compare errors and work alone", false},
    [PART] = {"--part", NULL, "NEW has some of the rows of OLD: the others are not missing", false},
    [JSON] = {CLI_OPTION_JSON},
    [QUIET] = {"--quiet", NULL, "no tables; only the exit status", false},
};

enum { DIGITS = 4, INDENT = 2 };

/* ---- for people */

static void print_machine(const char *title, const char *path, const ic_cost_machine *m, double calibration)
{
    cli_print("%s  %s: %s, %d cores; %s, %s; version %s, commit %s; %s", title, path, m->cpu, m->cores,
              m->compiler, m->flags, m->version, m->commit, m->date);
    if (isfinite(calibration)) printf("; calibration %s us", ic_number_short(1e6 * calibration, DIGITS).text);
    putchar('\n');
}

static void add_setting(cli_table *table, const ic_cost_row *row)
{
    char text[64] = "";
    if (row->setting > 0)
        snprintf(text, sizeof text, "%s %s", row->control, ic_number_short(row->setting, DIGITS).text);
    cli_table_cell(table, text);
}

static void add_value(cli_table *table, const ic_difference *d, double value, const char *status)
{
    if (d->quantity == IC_COMPARE_ROW || d->quantity == IC_COMPARE_STATUS) cli_table_cell(table, status);
    else if (!isfinite(value)) cli_table_cell(table, "other events");
    else cli_table_cell(table, ic_number_short(value, DIGITS).text);
}

static void add_difference(cli_table *table, const ic_difference *d)
{
    const double ratio = d->to / d->from;
    cli_table_painted(table,
                      d->worse ? cli_paint(stdout, CLI_RED, "WORSE") : cli_paint(stdout, CLI_GREEN, "better"));
    CLI_ROW(table, d->new->subject, d->new->solver);
    add_setting(table, d->new);
    cli_table_cell(table, ic_compare_quantity(d->quantity));
    add_value(table, d, d->from, d->old->status);
    add_value(table, d, d->to, d->quantity == IC_COMPARE_ROW ? "missing" : d->new->status);
    CLI_ROW(table, isfinite(ratio) ? ic_number_short(ratio, DIGITS).text : "",
            isnan(d->p) ? "" : ic_number_short(d->p, 2).text);
}

static bool print_differences(const ic_comparison *c)
{
    if (c->count == 0) return true;
    cli_table *table = cli_table_of("|subject|solver|setting|what|old|new|ratio.|p");
    for (size_t i = 0; i < c->count; i++) add_difference(table, &c->differences[i]);
    return cli_table_finish(table, INDENT, true);
}

static bool print_comparison(const cli_arguments *arguments, const ic_comparison *c, const ic_cost_results *old,
                             const ic_cost_results *new)
{
    print_machine("old", arguments->operands[0], &old->machine, old->calibration);
    print_machine("new", arguments->operands[1], &new->machine, new->calibration);
    printf("%zu rows in common, %zu only in old, %zu only in new. Worse is: %s"
           "an error above %g times the old one, a work count above %g times (C libraries that round %s), ",
           c->common, c->only_old, c->only_new, c->options.part ? "" : "a row that is missing, ",
           c->options.error_factor, c->options.work_factor, c->same_arithmetic ? "alike" : "otherwise");
    if (c->timed > 0)
        printf("a time over calibration above %g times (%s) with p <= %g for all %zu rows that have times\n\n",
               c->options.time_factor, c->same_machine ? "same machine" : "another machine", c->options.alpha,
               c->timed);
    else printf("times are not compared\n\n");
    if (c->noisy > 0)
        printf("The load of the machine disturbed the times of %zu rows, which are not compared\n\n", c->noisy);
    if (!print_differences(c)) return false;
    if (c->count > 0) putchar('\n');
    if (c->worse == 0) printf("%s %zu better\n", cli_paint(stdout, CLI_GREEN, "Nothing worse;").text, c->count);
    else
        printf("%s %zu worse, %zu better\n", cli_paint(stdout, CLI_RED, "Regression:").text, c->worse,
               c->count - c->worse);
    return true;
}

/* ---- for programs */

static void json_machine(ic_json *json, const char *key, const char *path, const ic_cost_results *results)
{
    const ic_cost_machine *m = &results->machine;
    ic_json_object(json, key);
    IC_JSON_MEMBERS(json, IC_TEXT("file", path), IC_TEXT("cpu", m->cpu), IC_WHOLE("cores", m->cores),
                    IC_TEXT("compiler", m->compiler), IC_TEXT("flags", m->flags),
                    IC_TEXT("version", m->version), IC_TEXT("commit", m->commit), IC_TEXT("date", m->date),
                    IC_TEXT("arithmetic", m->arithmetic), IC_REAL("calibration", results->calibration));
    ic_json_end(json);
}

static void json_difference(ic_json *json, const ic_difference *d)
{
    IC_JSON_ROW(json, NULL, IC_TEXT("verdict", d->worse ? "worse" : "better"),
                IC_TEXT("subject", d->new->subject), IC_TEXT("solver", d->new->solver),
                IC_TEXT("control", d->new->control), IC_REAL("setting", d->new->setting),
                IC_TEXT("what", ic_compare_quantity(d->quantity)), IC_REAL("old", d->from),
                IC_REAL("new", d->to), IC_REAL("p", d->p));
}

static void write_json(const cli_arguments *arguments, const ic_comparison *c, const ic_cost_results *old,
                       const ic_cost_results *new)
{
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    json_machine(&json, "old", arguments->operands[0], old);
    json_machine(&json, "new", arguments->operands[1], new);
    IC_JSON_ROW(&json, "rows", IC_WHOLE("common", c->common), IC_WHOLE("only_old", c->only_old),
                IC_WHOLE("only_new", c->only_new), IC_WHOLE("timed", c->timed), IC_WHOLE("noisy", c->noisy));
    IC_JSON_ROW(&json, "rules", IC_REAL("error_factor", c->options.error_factor),
                IC_REAL("work_factor", c->options.work_factor), IC_REAL("time_factor", c->options.time_factor),
                IC_REAL("alpha", c->options.alpha));
    ic_json_array(&json, "differences");
    for (size_t i = 0; i < c->count; i++) json_difference(&json, &c->differences[i]);
    ic_json_end(&json);
    IC_JSON_MEMBERS(&json, IC_WHOLE("worse", c->worse), IC_WHOLE("better", (c->count - c->worse)));
    ic_json_end(&json);
}

/* ---- the command */

static bool read_runs(const cli_arguments *arguments, ic_cost_results *results)
{
    for (size_t i = 0; i < 2; i++) {
        ic_error error = {""};
        if (ic_cost_read(&results[i], arguments->operands[i], &error)) continue;
        return cli_refuse(arguments->command, "%s", error.text);
    }
    return true;
}

static int judge_results(const cli_arguments *arguments, const ic_cost_results *old, const ic_cost_results *new,
                         const ic_compare_options *rules)
{
    ic_comparison c;
    int status = CLI_GOOD;
    if (!ic_compare(&c, old, new, rules)) {
        status = cli_no_memory(arguments->command);
    } else if (c.common == 0) {
        status = cli_bad_input(arguments->command, "'%s' and '%s' have no rows in common (%zu and %zu rows)",
                               arguments->operands[0], arguments->operands[1], old->count, new->count);
    } else {
        if (cli_has(arguments, JSON)) write_json(arguments, &c, old, new);
        else if (!cli_has(arguments, QUIET) && !print_comparison(arguments, &c, old, new))
            status = cli_no_memory(arguments->command);
        if (status == CLI_GOOD && c.worse > 0) status = CLI_CHECK_FAILED;
    }
    ic_comparison_free(&c);
    return status;
}

/* A factor below 1 would call an improvement worse. */
static bool take_factor(const cli_arguments *arguments, size_t option, double *factor)
{
    if (!cli_positive(arguments, option, INFINITY, factor)) return false;
    if (*factor == 0 || *factor >= 1) return true;
    return cli_refuse(arguments->command, "option %s: %g is below 1", options[option].name, *factor);
}

static int run_compare(const cli_arguments *arguments)
{
    ic_compare_options rules = {.no_times = cli_has(arguments, NO_TIMES), .part = cli_has(arguments, PART)};
    ic_cost_results results[2] = {{.count = 0}};
    int status = CLI_BAD_INPUT;
    if (take_factor(arguments, ERROR_FACTOR, &rules.error_factor) &&
        take_factor(arguments, WORK_FACTOR, &rules.work_factor) &&
        take_factor(arguments, TIME_FACTOR, &rules.time_factor) &&
        cli_positive(arguments, ALPHA, 1, &rules.alpha) && read_runs(arguments, results)) {
        status = judge_results(arguments, &results[0], &results[1], &rules);
    }
    ic_cost_results_free(&results[0]);
    ic_cost_results_free(&results[1]);
    return status;
}

const cli_command cli_compare = {
    .name = "compare",
    .operands = "OLD NEW",
    .least = 2,
    .most = 2,
    .title = "Reports whether new results of bench are worse than old ones.",
    .details =
        "OLD and NEW are files that bench --out has written. A row that NEW lacks is worse. Of others are compared: "
        "status and events, errors within a factor, work counts exactly, times relative to the calibration run of the same file by the Mann-Whitney test, so that noise is not a regression; times of rows that load disturbed are not compared. "
        "Exit status 1: a result is worse.",
    CLI_OPTIONS(options),
    .run = run_compare,
};
