/* SPDX-License-Identifier: MIT */
/* impactcheck bench: the cost of accuracy, for every solver on every case. */
#include "bench/cost.h"
#include "bench/load.h"
#include "bench/orders.h"
#include "bench/pairs.h"
#include "bench/targets.h"
#include "bench/work_precision.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/instance.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "registry/registry.h"
#include "reports/number.h"
#include "validation/checks/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVER, OWN, FULL, NO_TIMES, RATIOS, ADD, OUT, CSV, JSON, QUIET };

static const cli_option options[] = {
    [SOLVER] = {"--solver", "GLOB", "only solvers whose name matches", false},
    [OWN] = {"--own", NULL, "only solvers of this project, not those of other packages", false},
    [FULL] = {"--full", NULL, "every preset, more and finer settings, the whole diagram; about an hour", false},
    [NO_TIMES] = {"--no-times", NULL, "errors and work only, which are the same in each run", false},
    [RATIOS] = {"--ratios", NULL, "only pairs of solvers at equal error, and targets", false},
    [ADD] = {"--add", "FILE",
             "add the rows and pairs of another file of results, measured on this machine; may be given again",
             true},
    [OUT] = {"--out", "FILE", "write the results as JSON", false},
    [CSV] = {"--csv", "FILE", "write the rows as CSV", false},
    [JSON] = {"--json", NULL, "write the results as JSON to standard output instead of tables", false},
    [QUIET] = {"--quiet", NULL, "no tables or progress; --json, --out and --csv are still written", false},
};

enum { DIGITS = 3, INDENT = 2 };

/* ---- tables */

static void add_number(cli_table *table, double value, double factor)
{
    cli_table_cell(table, isnan(value) ? "" : ic_number_short(factor * value, DIGITS).text);
}

static void add_setting(cli_table *table, const ic_cost_row *row)
{
    char text[64] = "";
    if (row->setting > 0)
        snprintf(text, sizeof text, "%s %s", row->control, ic_number_short(row->setting, DIGITS).text);
    cli_table_cell(table, text);
}

static void add_row(cli_table *table, const ic_cost_row *row)
{
    CLI_ROW(table, row->subject, row->solver, row->class);
    add_setting(table, row);
    add_number(table, row->events, 1);
    if (strcmp(row->status, "ok") != 0) cli_table_cell(table, row->status);
    else if (isinf(row->error)) cli_table_cell(table, "other events");
    else add_number(table, row->error, 1);
    add_number(table, ic_cost_per_second(row), 1e6);
    add_number(table, ic_cost_per_event(row), 1e9);
    add_number(table, row->work.flow_calls, 1);
    add_number(table, row->work.guard_calls, 1);
    add_number(table, row->work.steps, 1);
    cli_table_cell(table, ic_cost_is_noisy(row) ? "noisy" : "");
}

static bool print_rows(const ic_cost_results *results)
{
    if (results->count == 0) return true;
    cli_table *table =
        cli_table_of("subject|solver|class|setting|events>|error, s|us per s.|ns per event.|flow calls>|"
                     "guard calls>|steps>|");
    for (size_t i = 0; i < results->count; i++) add_row(table, &results->rows[i]);
    return cli_table_finish(table, INDENT, true);
}

static bool print_orders(const ic_cost_results *results)
{
    if (results->count == 0) return true;
    cli_table *table = cli_table_of("subject|solver|claims>|shows.|points>|residual.");
    for (size_t i = 0; i < results->count; i++) {
        ic_cost_order order;
        if (!ic_cost_order_of(&order, results, i)) continue;
        CLI_ROW(table, order.row->subject, order.row->solver);
        add_number(table, order.row->order, 1);
        add_number(table, order.line.slope, 1);
        add_number(table, (double)order.line.points, 1);
        add_number(table, order.line.residual, 1);
    }
    cli_table_heading("Order of the error of event times in the (mean) step; empty: fewer than 3 points");
    return cli_table_finish(table, INDENT, true);
}

/* ---- ratios */

/* The level of ic_pair_levels at which calls of the flow are shown. */
enum { FLOW_LEVEL = 2 };

static const cli_colour verdict_colours[] = {CLI_RED, CLI_YELLOW, CLI_GREEN};

/* "1.62", "1.62~" if its quartiles lie on both sides of what is wanted; the peer, if it varies. */
static void add_factor(cli_table *table, const ic_cost_pair *pair, const ic_pair_rule *rule)
{
    char text[64];
    const int verdict = ic_pair_judge(pair, rule->wanted);
    if (isnan(pair->factor))
        snprintf(text, sizeof text, "%s", isnan(pair->setting) ? "not reached" : "reached alone");
    else
        snprintf(text, sizeof text, "%.3g%s%s%s", pair->factor, verdict == 0 ? "~" : "",
                 rule->peer[0] ? "" : " ", rule->peer[0] ? "" : pair->peer);
    cli_table_painted(table, cli_paint(stdout, verdict_colours[1 + verdict], text));
}

static const ic_cost_pair *find_pair(const ic_cost_results *results, const ic_pair_rule *rule,
                                     const char *subject, double level)
{
    for (size_t i = 0; i < results->n_pairs; i++) {
        const ic_cost_pair *pair = &results->pairs[i];
        if (ic_pair_is_of(pair, rule) && pair->level == level && strcmp(pair->subject, subject) == 0)
            return pair;
    }
    return NULL;
}

/* The rows of one comparison: each subject once. */
static void add_rule(cli_table *table, const ic_cost_results *results, const ic_pair_rule *rule)
{
    const char *before = "";
    for (size_t i = 0; i < results->n_pairs; i++) {
        const ic_cost_pair *pair = &results->pairs[i];
        if (!ic_pair_is_of(pair, rule) || rule->at_best || strcmp(pair->subject, before) == 0) continue;
        before = pair->subject;
        CLI_ROW(table, rule->solver, rule->peer[0] ? rule->peer : "fastest other", pair->subject);
        for (size_t k = 0; k < IC_PAIR_LEVELS; k++) {
            const ic_cost_pair *cell = find_pair(results, rule, pair->subject, ic_pair_levels[k]);
            if (cell == NULL) cli_table_cell(table, "");
            else add_factor(table, cell, rule);
        }
    }
}

/*
 * The part of the time that calls of the flow take, for the pairs at one level. Where they take most of it, no solver
 * can be faster by more than the ratio of the calls.
 */
static bool print_flows(const ic_cost_results *results)
{
    cli_table *table = cli_table_of("solver|peer|on|calls|its calls|call, ns|part of its time|of the peer's");
    for (size_t i = 0; i < results->n_pairs; i++) {
        const ic_cost_pair *pair = &results->pairs[i];
        if (pair->level != ic_pair_levels[FLOW_LEVEL] || !(pair->calls > 0 && pair->call_seconds > 0)) continue;
        if (ic_solver_find(pair->solver) != NULL && ic_solver_find(pair->solver)->needs & IC_NEEDS_EQUATIONS)
            continue; /* it counts coefficients */
        CLI_ROW(table, pair->solver, pair->peer, pair->subject);
        add_number(table, pair->calls, 1);
        add_number(table, pair->peer_calls, 1);
        add_number(table, pair->call_seconds, 1e9);
        add_number(table, pair->calls * pair->call_seconds / pair->seconds, 1);
        add_number(table, pair->peer_calls * pair->call_seconds / pair->peer_seconds, 1);
    }
    cli_table_heading("Calls of the flow at equal error, 1e-10, and the parts of the times that they take");
    return cli_table_finish(table, INDENT, true);
}

static bool print_ratios(const ic_cost_results *results)
{
    if (results->n_pairs == 0) return true;
    cli_table *table = cli_table_of("solver|is faster than|on|1e-6|1e-8|1e-10|1e-12");
    for (size_t i = 0; i < IC_PAIR_RULES; i++) add_rule(table, results, &ic_pair_rules[i]);
    cli_table_heading(
        "Ratios of times at equal error of event times, in parts of a second or of a shorter run; ~ too noisy");
    return cli_table_finish(table, INDENT, true) && print_flows(results);
}

static cli_painted verdict_text(ic_target_verdict verdict)
{
    static const cli_colour colours[] = {[IC_TARGET_MET] = CLI_GREEN,
                                         [IC_TARGET_MISSED] = CLI_RED,
                                         [IC_TARGET_NOISY] = CLI_YELLOW,
                                         [IC_TARGET_NOT_BUILT] = CLI_DIM,
                                         [IC_TARGET_NOT_MEASURED] = CLI_DIM};
    return cli_paint(stdout, colours[verdict], ic_target_verdict_text(verdict));
}

static bool print_targets(const ic_cost_results *results)
{
    cli_table *table = cli_table_of("target|class|is|quartiles|wanted|verdict|");
    for (size_t i = 0; i < IC_TARGETS; i++) {
        const ic_target target = ic_target_of(results, i);
        char spread[64] = "", wanted[32];
        if (isfinite(target.low)) snprintf(spread, sizeof spread, "%.3g to %.3g", target.low, target.high);
        snprintf(wanted, sizeof wanted, "%s %.3g", target.at_least ? ">=" : "<=", target.bound);
        CLI_ROW(table, target.name, target.class);
        add_number(table, target.ratio, 1);
        CLI_ROW(table, spread, wanted);
        cli_table_painted(table, verdict_text(target.verdict));
        cli_table_cell(table, target.detail);
    }
    cli_table_heading("Targets: ratios of times in this run; of several pairs the worst");
    return cli_table_finish(table, INDENT, true);
}

static void print_floor(const ic_cost_floor *floor)
{
    if (isnan(floor->event)) return;
    printf("Vector functions, %s: exp %s ns, sin %s ns, cos %s ns for an element; "
           "floor for an event of a sweep %s ns\n",
           floor->vectors, ic_number_short(1e9 * floor->exp, DIGITS).text,
           ic_number_short(1e9 * floor->sin, DIGITS).text, ic_number_short(1e9 * floor->cos, DIGITS).text,
           ic_number_short(1e9 * floor->event, DIGITS).text);
}

static bool print_results(const ic_cost_results *results)
{
    const ic_cost_machine *m = &results->machine;
    char load[256];
    ic_load_describe(load, sizeof load, &results->load, m->cores);
    printf("%s, %d cores; %s, %s; version %s, commit %s; %s\n", m->cpu, m->cores, m->compiler, m->flags,
           m->version, m->commit, m->date);
    if (isfinite(results->calibration))
        printf("One calibration run: %s us\n", ic_number_short(1e6 * results->calibration, DIGITS).text);
    print_floor(&results->floor);
    if (load[0] != '\0') printf("The machine was %s\n", load);
    printf("\n");
    /* The targets refer to built-in cases. */
    return print_rows(results) && print_orders(results) && print_ratios(results) &&
           (!ic_registry_is_built_in() || print_targets(results));
}

/* ---- rows of other programs */

static bool append_rows(ic_cost_results *results, const ic_cost_results *more, const char *path,
                        ic_error *error)
{
    if (!ic_cost_same_machine(&results->machine, &more->machine)) {
        ic_error_set(error, "'%s' was measured on another machine or with other flags: %s, %s, %s", path,
                     more->machine.cpu, more->machine.compiler, more->machine.flags);
        return false;
    }
    for (size_t i = 0; i < more->count; i++) {
        if (ic_cost_find(results, &more->rows[i]) != NULL) continue; /* measured here */
        ic_cost_row *row = ic_cost_results_add(results);
        if (row == NULL) return ic_error_no_memory(error);
        *row = more->rows[i];
    }
    for (size_t i = 0; i < more->n_pairs; i++) {
        const ic_cost_pair *pair = &more->pairs[i];
        if (ic_cost_find_pair(results, pair) == NULL && !ic_cost_add_pair(results, pair))
            return ic_error_no_memory(error);
    }
    return true;
}

static bool read_others(ic_cost_results *others, const cli_arguments *arguments)
{
    const char **paths = calloc(arguments->n_given + 1, sizeof *paths);
    const size_t n = paths == NULL ? 0 : cli_values(arguments, ADD, paths);
    bool good = paths != NULL;
    for (size_t i = 0; i < n && good; i++) {
        ic_cost_results more;
        ic_error error = {""};
        good = ic_cost_read(&more, paths[i], &error) && append_rows(others, &more, paths[i], &error);
        if (!good) cli_bad_input(arguments->command, "option --add: %s", error.text);
        ic_cost_results_free(&more);
    }
    free(paths);
    return good;
}

/* ---- the command */

static void show_progress(const char *subject, const char *solver)
{
    char text[128];
    snprintf(text, sizeof text, "%s %s", subject, solver);
    cli_progress_say(text);
}

static bool write_files(const cli_arguments *arguments, const ic_cost_results *results, cli_file *out,
                        cli_file *csv)
{
    ic_error error = {"the results could not be written: memory or the disk ran out"};
    bool good = true;
    if (out->stream != NULL) good = ic_cost_write(results, out->stream) && cli_file_commit(out, &error);
    if (good && csv->stream != NULL) {
        ic_cost_write_csv(results, csv->stream);
        good = cli_file_commit(csv, &error);
    }
    if (!good) cli_failure(arguments->command, "%s", error.text);
    return good;
}

static int report_costs(const cli_arguments *arguments, const ic_cost_results *results, cli_file *out,
                        cli_file *csv)
{
    if (results->count == 0 && !cli_has(arguments, RATIOS))
        return cli_bad_input(arguments->command, "no solver supports any case of this selection");
    const bool written = write_files(arguments, results, out, csv);
    if (cli_has(arguments, JSON)) {
        if (!ic_cost_write(results, stdout)) return cli_no_memory(arguments->command);
    } else if (!cli_has(arguments, QUIET) && !print_results(results)) {
        return cli_no_memory(arguments->command);
    }
    return written ? CLI_GOOD : CLI_FAILURE;
}

static int measure_costs(const cli_arguments *arguments, const ic_cost_request *request,
                         ic_cost_results *others, cli_file *out, cli_file *csv)
{
    ic_cost_results results = ic_cost_results_new();
    ic_error error = {""};
    cli_progress_begin("bench", cli_has(arguments, QUIET));
    bool good = ic_cost_measure(&results, request, &error);
    cli_progress_end();
    good = good && append_rows(&results, others, "", &error);
    const int status =
        good ? report_costs(arguments, &results, out, csv) : cli_failure(arguments->command, "%s", error.text);
    ic_cost_results_free(&results);
    return status;
}

/* Whether the selection has a preset that is run. */
static bool selects_preset(const cli_arguments *arguments, const ic_cost_request *request)
{
    const ic_selection selection = {.subjects = request->subjects, .solvers = request->solvers};
    char message[512];
    if (!ic_selection_matches(&selection, message, sizeof message))
        return cli_refuse(arguments->command, "%s", message);
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            const ic_preset *preset = &ic_cases[c]->presets[p];
            if (ic_selects_preset(&selection, ic_cases[c], preset) &&
                (request->full || ic_cost_represents(ic_cases[c], preset))) {
                return true;
            }
        }
    }
    return cli_refuse(arguments->command,
                      "'%s' matches none of the presets that represent their cases; --full runs every preset",
                      request->subjects);
}

static int run_bench(const cli_arguments *arguments)
{
    const char *subjects = arguments->n_operands > 0 ? arguments->operands[0] : NULL;
    if (!cli_use_case_file(arguments->command, &subjects)) return CLI_BAD_INPUT;
    const ic_cost_request request = {.subjects = subjects,
                                     .solvers = cli_value(arguments, SOLVER),
                                     .own = cli_has(arguments, OWN),
                                     .full = cli_has(arguments, FULL),
                                     .timed = !cli_has(arguments, NO_TIMES),
                                     .ratios = cli_has(arguments, RATIOS),
                                     .watch = show_progress};
    ic_cost_results others = ic_cost_results_new();
    cli_file out = {0}, csv = {0};
    int status = CLI_BAD_INPUT;
    if (selects_preset(arguments, &request) && read_others(&others, arguments) &&
        cli_file_open_option(&out, arguments, OUT) && cli_file_open_option(&csv, arguments, CSV)) {
        status = measure_costs(arguments, &request, &others, &out, &csv);
    }
    cli_file_discard(&out);
    cli_file_discard(&csv);
    ic_cost_results_free(&others);
    return status;
}

const cli_command cli_bench = {
    .name = "bench",
    .operands = "[CASE-GLOB]",
    .least = 0,
    .most = 1,
    .title = "Cost of accuracy: error, work and time of every solver for each setting.",
    .details =
        "Each row is one solver with one tolerance or step on one preset: "
        "the greatest error of event times compared with the certified answer (that of two accurate runs if there is none), processor time per simulated second and per event, and work. "
        "Without --full, each case is represented by one preset. "
        "Below the rows are the measured and the claimed order of each solver, the ratios of pairs of solvers that are timed in turns at equal error, "
        "and the targets, each for a class of solvers, with quartiles: a verdict only where these allow it. "
        "The machine's load is watched: rows that it disturbed are marked.",
    CLI_OPTIONS(options),
    .run = run_bench,
};
