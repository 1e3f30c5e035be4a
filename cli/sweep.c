/* SPDX-License-Identifier: MIT */
/* impactcheck sweep: one problem with many parameter sets. */
#include "cli/command.h"
#include "cli/figure.h"
#include "cli/hdf5_file.h"
#include "cli/instance.h"
#include "cli/sweep_file.h"
#include "cli/sweep_plot.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "core/system.h"
#include "reports/json.h"
#include "reports/number.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    VARY,
    RECORD,
    SKIP,
    KEEP,
    OUT,
    RESUME,
    THREADS,
    SOLVER,
    METHOD,
    VARIANT,
    SET,
    RTOL,
    STEP,
    EVENT_TOL,
    PLOT,
    SHOW,
    JSON,
    QUIET
};

static const cli_option options[] = {
    [VARY] = {"--vary", "NAME=FROM:TO:COUNT[:log]",
              "vary a parameter over COUNT values, both ends included, with even or (log) logarithmic spacing; "
              "give the option again for a grid; the first one varies slowest",
              true},
    [RECORD] = {"--record", "WHAT",
                "strobe (default): all states and the mode at the end of each kept period; "
                "the name of an output: its least and greatest value in each kept period; peak: "
                "the greatest value of each output over all kept periods, one row for each parameter set",
                false},
    [SKIP] = {"--skip", "PERIODS", "number of periods before the record begins; default 0", false},
    [KEEP] = {"--keep", "PERIODS", "number of periods that are recorded; default 1", false},
    [OUT] = {"--out", "FILE", "file for the result: FILE.csv or FILE.h5 (HDF5)", false},
    [RESUME] = {"--resume", NULL, "continue an interrupted sweep from FILE.part", false},
    [THREADS] = {"--threads", "N",
                 "number of threads; default: the number of processors; under mpirun, 1 for each rank", false},
    [SOLVER] = {"--solver", "NAME",
                "default: piecewise_linear if the case is linear between events, otherwise taylor in vectors "
                "(--method series), or rk45_bisection if the equations are no text",
                false},
    [METHOD] =
        {"--method", "NAME",
         "default: the fastest that can solve the problem; batch: piecewise linear sets in vectors; series: "
         "any equations in vectors, by Taylor series; scalar: the solver, one set after another",
         false},
    [VARIANT] = {CLI_OPTION_VARIANT},
    [SET] = {CLI_OPTION_SET},
    [RTOL] = {CLI_OPTION_RTOL},
    [STEP] = {"--step", "H", "step, in s, as for run", false},
    [EVENT_TOL] = {CLI_OPTION_EVENT_TOL},
    [PLOT] = {CLI_OPTION_PLOT("draw the result: over one varied parameter, or as a map over two")},
    [SHOW] =
        {"--show", "WHAT",
         "for --plot: columns of one unit, x2,x3; of a map one, or mode, or period: the number of periods after "
         "which the kept states repeat; default: the first column, both extremes of an output, or period",
         false},
    [JSON] = {CLI_OPTION_JSON},
    [QUIET] = {"--quiet", NULL, "no summary, remarks or progress; FILE and --plot are still written", false},
};

enum { MOST_KEPT = 1000000, MOST_SKIPPED = 1000000000, MOST_THREADS = 1024 };

typedef struct sweep_plan {
    const cli_arguments *arguments;
    ic_ranks ranks;
    const char **settings;
    ic_sweep_request request;
    ic_sweep sweep;
    size_t n_threads;
    cli_sweep_file file;

    /* NULL: no figure */
    cli_sweep_plot *shown;
    cli_figure figure;

    struct timespec begin;
    ic_sweep_outcome dealt;
    double seconds;
} sweep_plan;

/* ---- interruption: finished parameter sets are kept, others are dropped */

static volatile sig_atomic_t stop, stopped_by;

static void note_stop(int signal_number)
{
    stop = 1;
    stopped_by = signal_number;
}

static void watch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_stop, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < IC_COUNT(signals); i++) {
        const bool ignored = sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored) sigaction(signals[i], &action, NULL);
    }
}

/* ---- the request */

static bool read_grid(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_error error;
    for (size_t i = 0; i < arguments->n_given; i++) {
        if (arguments->given[i].option != VARY) continue;
        const char *axis =
            cli_setting_in_si(arguments->command, arguments->operands[0], arguments->given[i].value);
        if (axis == NULL) return false;
        if (ic_grid_add(&plan->request.grid, axis, &error)) continue;
        return cli_refuse(arguments->command, "option --vary: %s", error.text);
    }
    if (plan->request.grid.n_axes > 0) return true;
    return cli_refuse(arguments->command,
                      "option --vary is missing: name a parameter to vary (impactcheck run solves one set)");
}

static bool read_numbers(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_sweep_request *request = &plan->request;
    request->keep = 1;
    plan->n_threads = plan->ranks.size > 1 ? 1 : ic_processors();
    return cli_whole(arguments, SKIP, 0, MOST_SKIPPED, &request->skip) &&
           cli_whole(arguments, KEEP, 1, MOST_KEPT, &request->keep) &&
           cli_whole(arguments, THREADS, 1, MOST_THREADS, &plan->n_threads) &&
           cli_positive(arguments, RTOL, 1, &request->options.rtol) &&
           cli_positive(arguments, STEP, INFINITY, &request->options.step) &&
           cli_positive(arguments, EVENT_TOL, INFINITY, &request->options.event_tol);
}

static bool read_request(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_sweep_request *request = &plan->request;
    request->record = cli_has(arguments, RECORD) ? cli_value(arguments, RECORD) : "strobe";
    request->solver = cli_value(arguments, SOLVER);
    request->method = cli_value(arguments, METHOD);
    request->request = (ic_request){.path = arguments->operands[0], .variant = cli_value(arguments, VARIANT)};
    if (!cli_has(arguments, OUT))
        return cli_refuse(arguments->command,
                          "option --out is missing: name the file for the result, FILE.csv or FILE.h5");
    if (!cli_compatible(arguments, JSON, QUIET, "")) return false;
    plan->settings = cli_settings(arguments, SET, &request->request.n_settings);
    request->request.settings = plan->settings;
    return plan->settings != NULL;
}

static bool make_sweep(sweep_plan *plan)
{
    ic_error error;
    if (!read_request(plan) || !read_grid(plan) || !read_numbers(plan)) return false;
    if (!ic_sweep_open(&plan->sweep, &plan->request, &error))
        return cli_refuse(plan->arguments->command, "%s", error.text);
    plan->sweep.plan.stop = &stop;
    const ic_case *system = plan->sweep.first.problem.system;
    if (plan->sweep.plan.record == IC_RECORD_PEAK && system->n_outputs == 0)
        return cli_refuse(
            plan->arguments->command,
            "option --record: case '%s' has no outputs, whose peaks it would record; strobe records "
            "its states",
            system->name);
    return true;
}

/* Distributes a value of the first rank to all ranks. */
typedef struct opening {
    bool good;
    size_t first_chunk;
} opening;

/* A figure that is refused leaves no FILE.part. */
static bool open_plot(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_error error;
    if (!cli_has(arguments, PLOT) && !cli_has(arguments, SHOW)) return true;
    if (!cli_has(arguments, PLOT)) ic_error_set(&error, "option --show requires --plot FILE, which it is for");
    else if (plan->file.format != &cli_sweep_csv)
        ic_error_set(&error, "option --plot: the figure is drawn from CSV; name FILE.csv for --out");
    else if (!cli_sweep_file_flush(&plan->file))
        cli_cannot_write(&error, plan->file.part, cli_sweep_file_why(&plan->file));
    else plan->shown = cli_sweep_plot_read(plan->file.part, cli_value(arguments, SHOW), &error);
    if (plan->shown == NULL) cli_bad_input(arguments->command, "%s", error.text);
    if (plan->shown != NULL && cli_figure_open(&plan->figure, arguments, PLOT, JSON)) return true;
    if (plan->file.first_chunk == 0) cli_sweep_file_remove(&plan->file);
    return false;
}

static bool open_file(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    opening opened = {0};
    ic_error error;
    if (plan->ranks.rank == 0) {
        opened.good = cli_sweep_file_open(&plan->file, &plan->sweep, cli_value(arguments, OUT),
                                          cli_has(arguments, RESUME), &error);
        opened.first_chunk = plan->file.first_chunk;
        if (!opened.good) cli_bad_input(arguments->command, "option --out: %s", error.text);
        else opened.good = open_plot(plan);
    }
    ic_ranks_broadcast(&plan->ranks, &opened, sizeof opened);
    plan->file.first_chunk = opened.first_chunk;
    return opened.good;
}

static void remark_on_options(const sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    if (cli_has(arguments, QUIET)) return;
    cli_remark_on_control(arguments, plan->sweep.plan.solver, RTOL, STEP);
    if (cli_has(arguments, RESUME) && plan->file.first_chunk == 0)
        cli_remark(arguments->command, "there is nothing to resume: the sweep starts from the beginning");
}

/* ---- progress */

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

enum { BAR = 24, MINUTE = 60, HOUR = 3600 };

static const char *time_left(char text[32], double seconds)
{
    const long s = lround(fmin(seconds, 1e9));
    if (s < MINUTE) snprintf(text, 32, "%ld s", s);
    else if (s < HOUR) snprintf(text, 32, "%ld min %02ld s", s / MINUTE, s % MINUTE);
    else snprintf(text, 32, "%ld h %02ld min", s / HOUR, s % HOUR / MINUTE);
    return text;
}

static void say_progress(void *self, const ic_sweep_counts *counts)
{
    const sweep_plan *plan = self;
    const double n_sets = (double)plan->request.grid.n_sets;
    const double done = (double)(plan->file.before.sets + counts->sets);
    const double rate = (double)counts->sets / fmax(seconds_since(&plan->begin), 1e-9);
    char bar[BAR + 1], left[32], text[160];
    const size_t filled = (size_t)(done / n_sets * BAR);
    memset(bar, '.', BAR);
    memset(bar, '#', filled);
    bar[BAR] = '\0';
    snprintf(text, sizeof text, "[%s] %3.0f %%  %.0f of %.0f, %.3g/s, %s left", bar, 100 * done / n_sets, done,
             n_sets, rate, time_left(left, (n_sets - done) / rate));
    cli_progress_say(text);
}

static bool append_bytes(void *self, const void *bytes, size_t n)
{
    sweep_plan *plan = self;
    return cli_sweep_file_append(&plan->file, bytes, n);
}

static void encode_chunk(const void *self, const ic_chunk *chunk, ic_bytes *bytes)
{
    const sweep_plan *plan = self;
    /* other ranks have no file */
    const cli_sweep_format *format =
        cli_is_hdf5(cli_value(plan->arguments, OUT)) ? &cli_sweep_hdf5 : &cli_sweep_csv;
    ic_part_encode(format->part, chunk, bytes);
}

static void distribute_sets(sweep_plan *plan)
{
    const ic_sweep_writer writer = {
        .self = plan, .encode = encode_chunk, .append = append_bytes, .progress = say_progress, .stop = &stop};
    const bool silent = plan->ranks.rank > 0 || cli_has(plan->arguments, QUIET);
    clock_gettime(CLOCK_MONOTONIC, &plan->begin);
    cli_progress_begin("", silent);
    plan->dealt =
        ic_sweep_distribute(&plan->sweep, &writer, &plan->ranks, plan->n_threads, plan->file.first_chunk);
    cli_progress_end();
    plan->seconds = seconds_since(&plan->begin);
}

/* ---- the summary */

/* Parameter sets of this call and of those before it. */
static size_t with_status(const sweep_plan *plan, int status)
{
    return plan->dealt.counts.by_status[status] + plan->file.before.by_status[status];
}

static void add_statuses(cli_table *table, const sweep_plan *plan)
{
    const ic_sweep_counts *counts = &plan->dealt.counts;
    char text[IC_PARAMETER_SET_REASON + 64];
    for (int s = IC_OK + 1; s < IC_STATUS_COUNT; s++) {
        if (with_status(plan, s) == 0) continue;
        snprintf(text, sizeof text, "%zu: %s", with_status(plan, s), ic_status_text((ic_status)s));
        CLI_ROW(table, ic_status_name((ic_status)s), text);
    }
    if (counts->sets == counts->by_status[IC_OK]) return;
    snprintf(text, sizeof text, "set %zu: %s", counts->failed_set, counts->why);
    CLI_ROW(table, "the first", text);
}

static bool print_summary(const sweep_plan *plan)
{
    const ic_sweep_counts *counts = &plan->dealt.counts;
    const double rate = (double)counts->sets / plan->seconds;
    cli_table *table = cli_table_of("|");
    char text[256];
    if (table == NULL) return false;
    snprintf(text, sizeof text, "%zu", plan->request.grid.n_sets);
    if (plan->file.before.sets > 0)
        snprintf(text, sizeof text, "%zu, %zu of them from earlier calls", plan->request.grid.n_sets,
                 plan->file.before.sets);
    CLI_ROW(table, "parameter sets", text);
    add_statuses(table, plan);
    snprintf(text, sizeof text, "%.0f", counts->events);
    CLI_ROW(table, "events", text);
    snprintf(text, sizeof text, "%.3g s, %.4g sets/s, %.3g events/s", plan->seconds, rate,
             counts->events / plan->seconds);
    CLI_ROW(table, "time", text);
    snprintf(text, sizeof text, "%s, method %s; %zu thread%s, %d rank%s", plan->sweep.plan.solver->name,
             plan->sweep.method->name, plan->n_threads, plan->n_threads == 1 ? "" : "s", plan->ranks.size,
             plan->ranks.size == 1 ? "" : "s");
    CLI_ROW(table, "solver", text);
    snprintf(text, sizeof text, "%zu sets and %.0f phases of others that the method left to the solver",
             counts->left, counts->phases_left);
    CLI_ROW(table, "fallback", text);
    CLI_ROW(table, "file", cli_value(plan->arguments, OUT));
    return cli_table_finish(table, 2, false);
}

static void print_json(const sweep_plan *plan)
{
    const ic_sweep_counts *counts = &plan->dealt.counts;
    const ic_sweep *sweep = &plan->sweep;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(
        &json, IC_TEXT("case", sweep->plan.problem->system->name), IC_TEXT("preset", sweep->first.preset->name),
        IC_TEXT("variant", sweep->plan.problem->variant->name), IC_TEXT("solver", sweep->plan.solver->name),
        IC_TEXT("method", sweep->method->name), IC_TEXT("file", cli_value(plan->arguments, OUT)),
        IC_WHOLE("lanes", plan->request.grid.n_sets), IC_WHOLE("lanes_from_before", plan->file.before.sets),
        IC_WHOLE("lanes_by_fallback", counts->left), IC_WHOLE("phases_by_fallback", counts->phases_left));
    ic_json_object_line(&json, "status");
    for (int s = 0; s < IC_STATUS_COUNT; s++) {
        if (with_status(plan, s) == 0) continue;
        ic_json_integer(&json, ic_status_name((ic_status)s), (long long)with_status(plan, s));
    }
    ic_json_end(&json);
    IC_JSON_MEMBERS(&json, IC_REAL("events", counts->events), IC_REAL("seconds", plan->seconds),
                    IC_REAL("lanes_per_second", (double)counts->sets / plan->seconds),
                    IC_WHOLE("threads", plan->n_threads), IC_WHOLE("ranks", plan->ranks.size));
    ic_json_end(&json);
}

/* ---- end of the sweep */

static int report_interruption(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    const size_t done = plan->file.before.sets + plan->dealt.counts.sets;
    if (!cli_sweep_file_flush(&plan->file))
        return cli_failure(arguments->command, "cannot write '%s': %s", plan->file.part,
                           cli_sweep_file_why(&plan->file));
    return cli_failure(
        arguments->command,
        "interrupted: %zu of %zu parameter sets are kept in '%s'; the same command with --resume continues",
        done, plan->request.grid.n_sets, plan->file.part);
}

/* A file without a valid result is removed. */
static int all_invalid(sweep_plan *plan)
{
    cli_sweep_file_remove(&plan->file);
    return cli_bad_input(plan->arguments->command, "all %zu parameter sets are invalid; the first: %s",
                         plan->request.grid.n_sets, plan->dealt.counts.why);
}

/* The figure is drawn from the file, as that of an earlier sweep. Returns the exit status, `wrong` for a wrong file. */
static int draw_file(sweep_plan *plan, const char *path, int wrong)
{
    ic_error error;
    const ic_plot *figure = cli_sweep_plot_draw(plan->shown, path, &error);
    if (figure != NULL)
        return cli_figure_finish(&plan->figure, plan->arguments, figure) ? CLI_GOOD : CLI_FAILURE;
    cli_bad_input(plan->arguments->command, "%s", error.text);
    return wrong;
}

static int report_sweep(sweep_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    const size_t n_sets = plan->request.grid.n_sets;
    ic_error error;
    if (plan->dealt.status == IC_NO_MEMORY) return cli_no_memory(arguments->command);
    if (plan->dealt.status != IC_OK)
        return cli_failure(arguments->command,
                           "cannot write '%s': %s; its contents are kept, and --resume continues",
                           plan->file.part, cli_sweep_file_why(&plan->file));
    if (plan->dealt.stopped) return report_interruption(plan);
    if (with_status(plan, IC_INVALID) == n_sets) return all_invalid(plan);
    if (!cli_sweep_file_commit(&plan->file, &error)) return cli_failure(arguments->command, "%s", error.text);
    if (cli_has(arguments, JSON)) print_json(plan);
    else if (!cli_has(arguments, QUIET) && !print_summary(plan)) return cli_no_memory(arguments->command);
    if (plan->shown != NULL && draw_file(plan, cli_value(arguments, OUT), CLI_FAILURE) != CLI_GOOD)
        return CLI_FAILURE;
    if (with_status(plan, IC_OK) > 0) return CLI_GOOD;
    fflush(stdout);
    return cli_failure(arguments->command, "no parameter set was solved to the end; the first of this call: %s",
                       plan->dealt.counts.why);
}

static int solve_sets(sweep_plan *plan)
{
    int status = CLI_BAD_INPUT;
    if (!make_sweep(plan) || !open_file(plan)) return CLI_BAD_INPUT;
    if (plan->ranks.rank == 0) remark_on_options(plan);
    watch_signals();
    distribute_sets(plan);
    if (plan->ranks.rank == 0) status = report_sweep(plan);
    ic_ranks_broadcast(&plan->ranks, &status, sizeof status);
    return status;
}

static void close_figure(sweep_plan *plan)
{
    cli_figure_discard(&plan->figure);
    cli_sweep_plot_free(plan->shown);
}

/* The file of an earlier sweep in place of a case: it is drawn. */
static int draw_earlier(const cli_arguments *arguments)
{
    sweep_plan plan = {.arguments = arguments};
    const char *path = arguments->operands[0];
    int status = CLI_BAD_INPUT;
    ic_error error;
    for (size_t i = 0; i < arguments->n_given; i++) {
        const size_t option = arguments->given[i].option;
        if (option != PLOT && option != SHOW && option != QUIET)
            return cli_bad_input(arguments->command,
                                 "option %s does not go with '%s', the file of an earlier sweep",
                                 options[option].name, path);
    }
    if (!cli_has(arguments, PLOT))
        return cli_bad_input(arguments->command, "'%s' is the file of an earlier sweep: --plot FILE draws it",
                             path);
    plan.shown = cli_sweep_plot_read(path, cli_value(arguments, SHOW), &error);
    if (plan.shown == NULL) cli_bad_input(arguments->command, "%s", error.text);
    else if (cli_figure_open(&plan.figure, arguments, PLOT, JSON))
        status = draw_file(&plan, path, CLI_BAD_INPUT);
    close_figure(&plan);
    return status;
}

static int run_sweep(const cli_arguments *arguments)
{
    sweep_plan plan = {.arguments = arguments};
    ic_error error;
    if (cli_ends_with(arguments->operands[0], cli_sweep_csv.extension)) return draw_earlier(arguments);
    if (!ic_ranks_begin(&plan.ranks, &error)) return cli_bad_input(arguments->command, "%s", error.text);
    /* all ranks find the same errors; the first reports them */
    if (plan.ranks.rank > 0 && freopen("/dev/null", "w", stderr) == NULL) return CLI_FAILURE;
    const int status = solve_sets(&plan);
    cli_sweep_file_close(&plan.file);
    close_figure(&plan);
    ic_sweep_close(&plan.sweep);
    free(plan.settings);
    ic_ranks_end(&plan.ranks);
    if (stopped_by != 0 && status == CLI_FAILURE) raise(stopped_by); /* its default action */
    return status;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .operands = "CASE/PRESET",
    .least = 1,
    .most = 1,
    .title = "One problem with many parameter sets: bifurcation diagrams, basins, design grids.",
    .details =
        "The sets are the grid of all --vary. FROM and TO may be 0.1, 5e6, 3/2, 80pi, pi/6. "
        "A period is that of the forcing; "
        "for a case without forcing, the end of the preset is the end of the first period. "
        "Each set is followed from the start over the periods to skip and to keep. "
        "A run that ends earlier keeps its last state.\n"
        "A set that has no solution, or whose values are out of range, has a status that states this, and the rows that it does not reach are empty.\n"
        "FILE is written as a whole or not at all; until it is complete, results are collected in FILE.part. "
        "An interrupted sweep continues with --resume. "
        "The bytes of FILE do not depend on the number of threads and ranks (mpirun -n 4 impactcheck sweep ...).\n"
        "The file of an earlier sweep in place of CASE/PRESET is drawn: sweep FILE.csv --plot FIGURE.svg.",
    CLI_OPTIONS(options),
    .former = "--engine",
    .renamed = "--method",
    .run = run_sweep,
};
