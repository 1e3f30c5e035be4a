/* SPDX-License-Identifier: MIT */
/* impactcheck ci: audits what impactcheck.yaml of a repository names, as a gate. */
#include "cli/ci.h"
#include "cli/codes.h"
#include "cli/report_files.h"
#include "cli/terminal.h"
#include "reports/reports.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { JUNIT, JSON, MARKDOWN, CACHE, KEYS, QUIET };

static const cli_option options[] = {
    [JUNIT] = {CLI_OPTION_JUNIT},
    [JSON] = {"--json", "FILE", "write the results as JSON", false},
    [MARKDOWN] = {CLI_OPTION_MARKDOWN},
    [CACHE] =
        {"--cache", "DIR",
         "keep answers in this folder, and do not repeat an audit if neither the program, its entry nor its "
         "files have changed; a command or an engine must name its files (inputs)",
         false},
    [KEYS] = {"--keys", NULL, "print the keys of the file and what they mean, and nothing else", false},
    [QUIET] = {"--quiet", NULL, "only lines of subjects that are not good", false},
};

static const cli_report_kind kinds[] = {
    {JUNIT, ic_report_junit}, {JSON, cli_report_json}, {MARKDOWN, ic_report_markdown}};

/* A run of the whole file. */
typedef struct ci_run {
    const cli_arguments *arguments;
    cli_ci_file file;

    /* of all subjects, for reports */
    json_t *rows, *subjects;

    /* width of the subjects' names */
    int width;

    /* greatest exit status so far, and subjects that are good */
    int status;
    size_t good;
} ci_run;

/* ---- lines for people */

static cli_colour colour_of(const char *verdict)
{
    if (strcmp(verdict, "good") == 0) return CLI_GREEN;
    return strcmp(verdict, "waived") == 0 || strcmp(verdict, "undecided") == 0 ? CLI_YELLOW : CLI_RED;
}

/* "IC-M-007 friction, impact map 'mine': IC-C-037 frictionless: there is no friction"; what was seen without a cause */
static void print_finding(const json_t *row)
{
    const char *subject = ic_report_text(row, "subject"), *slash = strchr(subject, '/');
    const char *solver = ic_report_text(row, "solver");
    const cli_code *cause = cli_code_find(ic_report_text(row, "cause_code"));
    cli_print("    %s %s%s%s%s%s: ", ic_report_text(row, "code"), ic_report_text(row, "check"),
              slash != NULL ? ", " : "", slash != NULL ? slash + 1 : "", solver[0] != '\0' ? ", " : "", solver);
    if (cause != NULL) cli_print("%s %s: %s\n", cause->code, cause->name, cause->what);
    else cli_print("%.300s\n", ic_report_text(row, "detail"));
}

/* The line of a subject; below it the first of its findings that fail, each code once. */
static void print_subject(const ci_run *run, const cli_ci_subject *s, const cli_ci_judgement *j,
                          const cli_ci_answer *answer, size_t first)
{
    enum { MOST_SHOWN = 5 };
    size_t shown = 0, left = 0;
    const bool quiet = cli_has(run->arguments, QUIET) && j->failed == 0;
    if (quiet) return;
    printf("%s%-9s%s ", cli_paint_on(stdout, colour_of(j->verdict)), j->verdict, cli_paint_off(stdout));
    cli_print("%-*s  %s: %zu passed", run->width, s->name, s->kind, j->passed);
    if (j->failed > 0) printf(", %zu failed", j->failed);
    if (j->waived > 0) printf(", %zu waived", j->waived);
    if (j->open > 0) printf(", %zu undecided or skipped", j->open);
    printf("%s\n", answer->kept ? " (kept)" : "");
    for (size_t i = first; i < json_array_size(run->rows); i++) {
        const json_t *row = json_array_get(run->rows, i);
        bool said = !ic_report_failed(row);
        for (size_t k = first; k < i && !said; k++) {
            const json_t *other = json_array_get(run->rows, k);
            said = ic_report_failed(other) &&
                   strcmp(ic_report_text(other, "code"), ic_report_text(row, "code")) == 0;
        }
        if (said) continue;
        if (shown++ < MOST_SHOWN) print_finding(row);
        else left++;
    }
    if (left > 0) printf("    and %zu more codes: --json FILE has all\n", left);
    fflush(stdout);
}

static void print_waivers(const ci_run *run, size_t first)
{
    for (size_t i = first; i < json_array_size(run->rows); i++) {
        const json_t *row = json_array_get(run->rows, i);
        const bool expired = ic_report_failed(row);
        printf("%s%-9s%s ", cli_paint_on(stdout, expired ? CLI_RED : CLI_YELLOW),
               expired ? "expired" : "unused", cli_paint_off(stdout));
        cli_print("%s: %s\n", ic_report_text(row, "subject"), ic_report_text(row, "detail"));
    }
}

static void print_summary(const ci_run *run)
{
    size_t waived = 0, expired = 0;
    for (size_t i = 0; i < run->file.n_waivers; i++) {
        waived += run->file.waivers[i].used;
        expired += run->file.waivers[i].expired > 0;
    }
    if (cli_has(run->arguments, QUIET) && run->status == CLI_GOOD) return;
    printf("%s%s:%s %zu of %zu subjects good",
           cli_paint_on(stdout, run->status == CLI_GOOD ? CLI_GREEN : CLI_RED),
           run->status == CLI_GOOD ? "Good" : "Failed", cli_paint_off(stdout), run->good, run->file.n_subjects);
    if (waived > 0) printf("; %zu finding%s waived", waived, waived == 1 ? "" : "s");
    if (expired > 0) printf("; %zu waiver%s expired", expired, expired == 1 ? "" : "s");
    printf("\n");
    if (run->status != CLI_GOOD)
        printf("impactcheck explain CODE says what a finding means, and how it is mended or waived.\n");
}

/* ---- the run */

static json_t *subject_json(const cli_ci_subject *s, const cli_ci_judgement *j, const cli_ci_answer *answer)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:b, s:I, s:I, s:I, s:I}", "name", s->name, "kind", s->kind,
                     "audited", s->target, "verdict", j->verdict, "status", j->status, "kept", answer->kept,
                     "passed", (json_int_t)j->passed, "failed", (json_int_t)j->failed, "waived",
                     (json_int_t)j->waived, "skipped", (json_int_t)j->open);
}

static void raise_status(ci_run *run, int status)
{
    if (status > run->status) run->status = status;
}

static bool audit_subject(ci_run *run, const cli_ci_subject *s)
{
    cli_ci_answer answer;
    cli_ci_judgement j;
    const size_t first = json_array_size(run->rows);
    cli_progress_say(s->name);
    const bool audited = cli_ci_run(&answer, &run->file, s, cli_value(run->arguments, CACHE));
    const bool good = audited && cli_ci_judge(&j, run->rows, &run->file, s, &answer) &&
                      json_array_append_new(run->subjects, subject_json(s, &j, &answer)) == 0;
    json_decref(answer.results);
    if (audited && !good) cli_no_memory(run->arguments->command);
    if (!good) return false;
    run->good += j.status == CLI_GOOD;
    raise_status(run, j.status);
    cli_progress_clear();
    print_subject(run, s, &j, &answer, first);
    return true;
}

static json_t *waivers_json(const cli_ci_file *file)
{
    json_t *waivers = json_array();
    for (size_t i = 0; i < file->n_waivers; i++) {
        const cli_ci_waiver *w = &file->waivers[i];
        json_array_append_new(waivers, json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "code", w->code, "subject",
                                                 w->subject, "reason", w->reason, "until", w->until, "state",
                                                 cli_ci_waiver_state(w), "waived", (json_int_t)w->used));
    }
    return waivers;
}

static bool write_reports(ci_run *run, cli_report_files *files)
{
    json_int_t pass = 0, fail = 0, erratum = 0, skipped = 0;
    char title[512];
    for (size_t i = 0; i < json_array_size(run->rows); i++) {
        const json_t *row = json_array_get(run->rows, i);
        const bool is_erratum = strcmp(ic_report_text(row, "verdict"), "erratum") == 0;
        fail += ic_report_failed(row);
        skipped += ic_report_skipped(row);
        erratum += is_erratum;
        pass += !ic_report_failed(row) && !ic_report_skipped(row) && !is_erratum;
    }
    snprintf(title, sizeof title, "impactcheck ci %s", run->file.path);
    json_t *results =
        json_pack("{s:s, s:s, s:s, s:{s:I, s:I, s:I, s:I}, s:O, s:o, s:O}", "schema", "impactcheck-ci/1",
                  "title", title, "verdict", run->status == CLI_GOOD ? "good" : "failed", "summary", "pass",
                  pass, "fail", fail, "erratum", erratum, "skipped", skipped, "subjects", run->subjects,
                  "waivers", waivers_json(&run->file), "rows", run->rows);
    if (results == NULL) return cli_no_memory(run->arguments->command) == CLI_GOOD;
    const bool good = cli_report_files_write(files, run->arguments, results);
    json_decref(results);
    return good;
}

static int run_file(ci_run *run, cli_report_files *files)
{
    const cli_ci_file *file = &run->file;
    bool good = run->rows != NULL && run->subjects != NULL;
    for (size_t i = 0; i < file->n_subjects; i++) {
        const int width = cli_text_width(file->subjects[i].name);
        if (width > run->width) run->width = width;
    }
    cli_progress_begin("ci", cli_has(run->arguments, QUIET));
    for (size_t i = 0; i < file->n_subjects && good; i++) good = audit_subject(run, &file->subjects[i]);
    cli_progress_end();
    const size_t first = json_array_size(run->rows);
    if (!good || !cli_ci_judge_waivers(run->rows, file)) return CLI_FAILURE;
    for (size_t i = 0; i < file->n_waivers; i++) {
        if (file->waivers[i].expired > 0) raise_status(run, CLI_CHECK_FAILED);
    }
    print_waivers(run, first);
    print_summary(run);
    return write_reports(run, files) ? run->status : CLI_FAILURE;
}

static int run_ci(const cli_arguments *arguments)
{
    cli_report_files files = {0};
    const char *cache = cli_value(arguments, CACHE);
    ci_run run = {.arguments = arguments, .rows = json_array(), .subjects = json_array()};
    int status = CLI_BAD_INPUT;
    if (cli_has(arguments, KEYS)) return cli_ci_keys_print() ? CLI_GOOD : cli_no_memory(arguments->command);
    const char *path = arguments->n_operands > 0 ? arguments->operands[0] : "impactcheck.yaml";
    if (cli_ci_file_read(&run.file, arguments->command, path) &&
        (cache == NULL || mkdir(cache, 0777) == 0 || errno == EEXIST ||
         cli_refuse(arguments->command, "--cache: '%s' cannot be made: %s", cache, strerror(errno))) &&
        cli_report_files_open(&files, arguments, kinds, IC_COUNT(kinds)))
        status = run_file(&run, &files);
    cli_report_files_close(&files);
    cli_ci_file_close(&run.file);
    json_decref(run.rows);
    json_decref(run.subjects);
    return status;
}

const cli_command cli_ci = {
    .name = "ci",
    .operands = "[FILE]",
    .least = 0,
    .most = 1,
    .title = "Audit of all that a repository names in impactcheck.yaml, as a gate.",
    .details =
        "FILE, by default impactcheck.yaml, names subjects: trajectories, plugins, commands, engines, and machines, "
        "which are checked and verified. Each is audited as by the command of its kind, in the folder of the file. "
        "A finding that is known can be waived by its code, with a reason and a last day; a waiver that has expired "
        "fails, one that waives nothing is reported. impactcheck ci --keys has all keys, docs/ci.md an example.\n"
        "Exit status: 0 all subjects are good or waived; 1 one is not, or a waiver has expired; 2 the file, or an entry "
        "of it, is wrong; 3 an audited program crashed or hung, or the program failed.",
    CLI_OPTIONS(options),
    .run = run_ci,
};
