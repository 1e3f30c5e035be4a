/* SPDX-License-Identifier: MIT */
/* impactcheck audit: known mistakes in other contact code or results.
 */
#include "cli/audit.h"
#include "cli/plot.h"
#include "cli/report_files.h"
#include "cli/terminal.h"
#include "reports/reports.h"

#include <time.h>
#include <unistd.h>

/* whole numbers up to this one are printed in full */
#define MOST_SEED 4294967295u

static const cli_option options[] = {
    [CLI_AUDIT_PLUGIN] = {"--plugin", "FILE",
                          "a shared library that exports laws, impact maps, solvers or engines (ic_plugin)",
                          false},
    [CLI_AUDIT_COMMAND] = {"--command", "COMMAND",
                           "a command line of the shell that solves a case and prints a trajectory as CSV",
                           false},
    [CLI_AUDIT_TRAJECTORY] = {"--trajectory", "FILE",
                              "a trajectory: CSV with a line of names, then rows in order of time", false},
    [CLI_AUDIT_SOLVER] = {"--solver", "NAME", "a built-in solver, to be run on traps", false},
    [CLI_AUDIT_ENGINE] =
        {"--engine", "NAME[,NAME]",
         "physics engines by name, or all; NAME:VARIANT if an engine has variants; a program of "
         "your own by its path: ./my-engine",
         false},
    [CLI_AUDIT_SCENES] = {"--scenes", "NAME[,NAME]",
                          "the scenes that engines play; default all; one of your own: FILE.yaml", false},
    [CLI_AUDIT_CONFIG] = {"--config", "default|best", "one of the two settings of engines; default: both",
                          false},
    [CLI_AUDIT_THREAD] = {"--thread", "ID",
                          "play the scene of a public report, planck.js#223, or all reports on their engines; "
                          "impactcheck list threads names them",
                          false},
    [CLI_AUDIT_RESULTS] = {"--results", "FILE", "write the results of scenes as JSON, for the scoreboard",
                           false},
    [CLI_AUDIT_PHASES] = {"--phases", "N",
                          "number of places within a time step at which the first event falls; default 8",
                          false},
    [CLI_AUDIT_CASE] = {"--case", "CASE/PRESET",
                        "the case and preset of the trajectory; impactcheck list presets names them", false},
    [CLI_AUDIT_VARIANT] = {CLI_OPTION_VARIANT},
    [CLI_AUDIT_SET] = {CLI_OPTION_SET},
    [CLI_AUDIT_UNTIL] = {"--until", "T",
                         "end in s, in place of the preset's; for a trajectory, rows up to this time", false},
    [CLI_AUDIT_SAMPLES] =
        {"--samples", "N",
         "number of rows to request from a command; default: 100 in each typical time of the case", false},
    [CLI_AUDIT_ASK] =
        {"--ask", "json|options",
         "how a command receives the problem: JSON on standard input, the default, or --NAME=VALUE", false},
    [CLI_AUDIT_ORDER] = {"--order", "P", "order in its step that a command claims; default: none", false},
    [CLI_AUDIT_COLUMNS] =
        {"--columns", "NAME=COLUMN,...",
         "columns of the file for t and for states that have other names there: t=time,x2=body.y; "
         "by number: x=3; with another sign or origin, in the column's own unit: x=-h, x=h-0.1; as a "
         "formula of columns and parameters, in a unit: v=w*R, \"q=angle deg\"; "
         "quoted: x=\"h, m\"",
         false},
    [CLI_AUDIT_UNITS] = {"--units", "NAME=UNIT,...", "units other than SI: t=ms,x2=mm,v2=mm/s", false},
    [CLI_AUDIT_ACCEPT] = {"--accept", "REL",
                          "accuracy required of rows without their noise, relative to a state's range; "
                          "default {accuracy}, less than {accuracy_limit}; "
                          "the tolerances of other checks are multiples of it",
                          false},
    [CLI_AUDIT_TIME_LIMIT] =
        {"--time-limit", "S",
         "s, for each law, map and solver of a plugin; default 60; for each run of a command; "
         "default 60; of a scene; default 20",
         false},
    [CLI_AUDIT_SEED] =
        {"--seed", "N",
         "repeats the audit that printed this seed: what is drawn is the same; default: another one "
         "in each run",
         false},
    [CLI_AUDIT_LENIENT] =
        {"--lenient", NULL,
         "what a program by its path says it does not promise is no failure, as for the engines "
         "that impactcheck knows",
         false},
    [CLI_AUDIT_TRAP] = {"--trap", "GLOB", "these traps only: NAME or NAME/RUN; impactcheck list traps", false},
    [CLI_AUDIT_RTOL] =
        {"--rtol", "R",
         "relative tolerance to request from a solver; default: for errors of 1e-11 in a typical time; "
         "from a command: 1e-9",
         false},
    [CLI_AUDIT_STEP] =
        {"--step", "H",
         "step to request from a solver or a command, s; default: a thousandth of the typical time", false},
    [CLI_AUDIT_PLOT] = {CLI_OPTION_PLOT(
        "of a trajectory: draw its states beside the exact ones, with its findings")},
    [CLI_AUDIT_SHOW] = {CLI_OPTION_SHOW},
    [CLI_AUDIT_JUNIT] = {CLI_OPTION_JUNIT},
    [CLI_AUDIT_TAP] = {CLI_OPTION_TAP},
    [CLI_AUDIT_MARKDOWN] = {CLI_OPTION_MARKDOWN},
    [CLI_AUDIT_JSON] = {CLI_OPTION_JSON},
    [CLI_AUDIT_JOBS] =
        {"--jobs", "N",
         "with --plugin, --solver or --engine: number of processes; default: the number of processors", false},
    [CLI_AUDIT_TIMES] = {"--times", NULL,
                         "with these, too: write the processor times of the ten longest parts, in JSON of each",
                         false},
    [CLI_AUDIT_ALLOW_UNDECIDED] = {"--allow-undecided", NULL,
                                   "exit status 0 instead of 1 if the data decide too little; "
                                   "the verdict is still undecided",
                                   false},
    [CLI_AUDIT_QUIET] = {"--quiet", NULL,
                         "no tables, remarks and progress, and a line only if the verdict is not good; "
                         "--json and files are still written",
                         false},
    [CLI_AUDIT_ROWS] = {"--rows", "FILE",
                        "write the rows of --junit and --markdown as JSON, in the form of verify --json",
                        false},
};

bool cli_audit_seed(const cli_arguments *arguments, size_t *seed)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    *seed = ((size_t)now.tv_sec * 1000003 + (size_t)now.tv_nsec + (size_t)getpid()) % MOST_SEED;
    return cli_whole(arguments, CLI_AUDIT_SEED, 0, MOST_SEED, seed);
}

void cli_audit_watch(const char *part, double processor, void *times)
{
    cli_progress_say(part);
    cli_times_add(times, part, processor);
}

bool cli_audit_show_times(const cli_arguments *arguments, const cli_audit_result *result)
{
    const bool shown = !cli_has(arguments, CLI_AUDIT_JSON) && !cli_has(arguments, CLI_AUDIT_QUIET);
    return !shown || result->times == NULL || cli_times_print(result->times);
}

int cli_audit_status(const cli_arguments *arguments, const cli_audit_result *result)
{
    switch (cli_audit_judge(result).verdict) {
    case IC_AUDIT_GOOD: return CLI_GOOD;
    case IC_AUDIT_UNDECIDED: return cli_has(arguments, CLI_AUDIT_ALLOW_UNDECIDED) ? CLI_GOOD : CLI_CHECK_FAILED;
    default: return CLI_CHECK_FAILED;
    }
}

int cli_audit_report(const cli_arguments *arguments, const cli_audit_result *result)
{
    const bool written = cli_audit_write_reports(arguments, result),
               quiet = cli_has(arguments, CLI_AUDIT_QUIET);
    if (cli_has(arguments, CLI_AUDIT_JSON)) {
        cli_audit_json(result);
    } else if (quiet) {
        cli_audit_print_if_not_good(result);
    } else {
        cli_audit_print_headline(result);
        if (!cli_audit_print(result)) return cli_no_memory(arguments->command);
    }
    if (!cli_audit_show_times(arguments, result)) return cli_no_memory(arguments->command);
    return written ? cli_audit_status(arguments, result) : CLI_FAILURE;
}

#define OPTION(name_) (1ull << CLI_AUDIT_##name_)
#define OUTPUT                                                                                                 \
    (OPTION(JUNIT) | OPTION(TAP) | OPTION(MARKDOWN) | OPTION(ROWS) | OPTION(JSON) | OPTION(QUIET) |            \
     OPTION(ALLOW_UNDECIDED))
#define OF_ROWS                                                                                                \
    (OPTION(CASE) | OPTION(VARIANT) | OPTION(SET) | OPTION(COLUMNS) | OPTION(UNITS) | OPTION(ACCEPT))

/* Audit inputs, with the options that each accepts. */
static const struct audit_input {
    size_t option;
    int (*audit)(const cli_arguments *arguments);
    unsigned long long takes;
} inputs[] = {
    {CLI_AUDIT_PLUGIN, cli_audit_plugin,
     OUTPUT | OPTION(TIME_LIMIT) | OPTION(JOBS) | OPTION(TIMES) | OPTION(SEED)},
    {CLI_AUDIT_COMMAND, cli_audit_command,
     OUTPUT | OF_ROWS | OPTION(UNTIL) | OPTION(SAMPLES) | OPTION(ASK) | OPTION(ORDER) | OPTION(STEP) |
         OPTION(RTOL) | OPTION(PHASES) | OPTION(TIME_LIMIT) | OPTION(SEED)},
    {CLI_AUDIT_TRAJECTORY, cli_audit_trajectory,
     OUTPUT | OF_ROWS | OPTION(UNTIL) | OPTION(PLOT) | OPTION(SHOW)},
    {CLI_AUDIT_SOLVER, cli_audit_solver,
     OUTPUT | OPTION(TRAP) | OPTION(RTOL) | OPTION(STEP) | OPTION(JOBS) | OPTION(TIMES)},
    {CLI_AUDIT_ENGINE, cli_audit_engines,
     OUTPUT | OPTION(SCENES) | OPTION(CONFIG) | OPTION(THREAD) | OPTION(RESULTS) | OPTION(TIME_LIMIT) |
         OPTION(SEED) | OPTION(LENIENT) | OPTION(JOBS) | OPTION(TIMES)},
};

static int audit_with_files(const cli_arguments *arguments, const struct audit_input *input)
{
    static const cli_report_kind kinds[] = {{CLI_AUDIT_JUNIT, ic_report_junit},
                                            {CLI_AUDIT_TAP, ic_report_tap},
                                            {CLI_AUDIT_MARKDOWN, ic_report_markdown},
                                            {CLI_AUDIT_ROWS, cli_report_json}};
    cli_report_files files = {0};
    cli_arguments with_files = *arguments;
    with_files.reports = &files;
    int status = CLI_BAD_INPUT;
    if (cli_report_files_open(&files, arguments, kinds, IC_COUNT(kinds))) status = input->audit(&with_files);
    cli_report_files_close(&files);
    return status;
}

static int run_audit(const cli_arguments *arguments)
{
    const struct audit_input *input = NULL;
    for (size_t i = 0; i < IC_COUNT(inputs); i++) {
        if (!cli_has(arguments, inputs[i].option)) continue;
        if (input != NULL)
            return cli_bad_input(arguments->command, "options %s and %s exclude each other",
                                 options[input->option].name, options[inputs[i].option].name);
        input = &inputs[i];
    }
    if (input == NULL)
        return cli_bad_input(
            arguments->command,
            "nothing to audit: "
            "give --plugin FILE, --command COMMAND, --trajectory FILE, --solver NAME or --engine NAME");
    for (size_t i = 0; i < IC_COUNT(options); i++) {
        if (i != input->option && cli_has(arguments, i) && (input->takes & (1ull << i)) == 0)
            return cli_bad_input(arguments->command, "option %s does not go with %s", options[i].name,
                                 options[input->option].name);
    }
    return audit_with_files(arguments, input);
}

const cli_command cli_audit = {
    .name = "audit",
    .operands = "",
    .least = 0,
    .most = 0,
    .title = "Audit of other contact code or results for correctness and known mistakes.",
    .details =
        "A plugin is a shared library that exports impactcheck_plugin() of the public header. "
        "Each of its laws, impact maps, solvers and engines is audited in processes of its own: "
        "one that crashes, hangs or writes out of bounds is detected and does not hide other findings. "
        "Exit status 3 if one crashed or hung.\n"
        "A trajectory is followed interval by interval: "
        "from each row the case is solved to the next one, so that errors do not accumulate. "
        "Tolerances come from the rows themselves, their spacing and noise. "
        "The audit also reports which transition condition, contact-force law, impact hypothesis or restitution the rows follow, if the case has one; "
        "for a planar impact vx, vy and phi_dot before and after are enough.\n"
        "A command is run by /bin/sh. "
        "It gets the case's parameters, its start, the end, and the requested number of rows, step and tolerance as one JSON object on standard input (or --NAME=VALUE, --ask options), and prints rows like a trajectory's. "
        "It is run again with other steps, so that the first event falls at several places within a step, and with smaller steps.\n"
        "A solver is run on traps: "
        "small systems with exact answers, for which public packages are known to have given wrong results. "
        "A feature that a solver declares as unsupported is reported, and not counted as a failure.\n"
        "An engine is a separate program that is built if the engine is installed (./run engines); "
        "it plays scenes, whose motion is known, in its default and in its best configuration.\n"
        "The verdict is good, failed, or undecided: "
        "if the data decide too little of the important checks (for rows: "
        "events, state, energy, restitution), the verdict is undecided. "
        "The first line gives the verdict; the lines below it state which data would decide the rest. "
        "A property that a law or a solver does not promise is reported as not tested.\n"
        "Exit status: 0 good; 1 failed, or undecided; 2 the file or the request is wrong.",
    CLI_OPTIONS(options),
    .run = run_audit,
};
