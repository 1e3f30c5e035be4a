/* SPDX-License-Identifier: MIT */
/* impactcheck audit --engine: physics engines, each by a program of its own. */

#include "audit/engine/engines.h"
#include "cli/audit.h"
#include "cli/audit_text.h"
#include "cli/engine_list.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/json.h"
#include "validation/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct request {
    const cli_arguments *arguments;
    cli_engine_list list;
    size_t phases;

    /* s */
    double time_limit;
} request;

/* ---- for people */

static void span_cell(cli_table *table, const ic_engine_span *span, size_t phases)
{
    char text[80] = "none", none[32] = "";
    if (span->count > 0 && span->count < phases)
        snprintf(none, sizeof none, " (%zu none)", phases - span->count);
    if (span->count > 0 && span->greatest - span->least < 5e-4)
        snprintf(text, sizeof text, "%.3f%s", span->median, none);
    else if (span->count > 0) snprintf(text, sizeof text, "%.3f..%.3f%s", span->least, span->greatest, none);
    cli_table_cell(table, text);
}

/* Prints -0.000 as 0.000. */
static double without_minus_zero(double value)
{
    return fabs(value) < 5e-4 ? 0 : value;
}

static void tip_cell(cli_table *table, const ic_engine_row *row)
{
    char text[64] = "-";
    if (row->tip_x.count > 0)
        snprintf(text, sizeof text, "(%.3f, %.3f)", without_minus_zero(row->tip_x.median),
                 without_minus_zero(row->tip_y.median));
    cli_table_cell(table, text);
}

static void law_cell(cli_table *table, const ic_engine_row *row)
{
    char text[64] = "-";
    if (row->law.decided) snprintf(text, sizeof text, "%s", row->law.candidates[0].name);
    else if (row->law.count > 0)
        snprintf(text, sizeof text, "none%s%s", row->table_2 != NULL ? "; here like " : "",
                 row->table_2 != NULL ? row->table_2 : "");
    cli_table_cell(table, text);
}

/* The mistakes of an engine in one configuration, by name, each once. */
static void causes_cell(cli_table *table, const ic_findings *findings, const ic_engine_row *row)
{
    char text[256] = "", subject[IC_SUBJECT_LENGTH];
    snprintf(subject, sizeof subject, "%.80s, %s", row->name, row->config);
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || strcmp(f->subject, subject) != 0) continue;
        const char *name = f->cause != IC_NO_MISTAKE ? ic_mistake_name(f->cause) : f->check->name;
        if (strstr(text, name) != NULL) continue;
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? ", " : "", name);
    }
    cli_table_cell(table, text[0] != '\0' ? text : "-");
}

static bool print_table(const ic_engine_row *rows, size_t n, const ic_findings *findings)
{
    cli_table *table = cli_table_of("engine|set|e, asked 0.8|E+/E-|tip+, m/s|law|found");
    for (size_t i = 0; i < n; i++) {
        CLI_ROW(table, rows[i].name, rows[i].config);
        span_cell(table, &rows[i].restitution, rows[i].phases);
        span_cell(table, &rows[i].energy, rows[i].phases);
        tip_cell(table, &rows[i]);
        law_cell(table, &rows[i]);
        causes_cell(table, findings, &rows[i]);
    }
    return cli_table_finish(table, 0, true);
}

static void print_laws(const ic_engine_row *rows, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const ic_classification *law = &rows[i].law;
        if (law->count == 0) continue;
        printf("%s%s: %s%s\n", any ? "" : "\n", law->subject,
               law->decided ? "" : "no law fits; the nearest is ", law->detail);
        any = true;
    }
}

/* ---- for programs */

static void span_json(ic_json *json, const char *key, const ic_engine_span *span)
{
    ic_json_object_line(json, key);
    IC_JSON_NUMBERS(json, {"least", span->least}, {"median", span->median}, {"greatest", span->greatest});
    ic_json_integer(json, "impacts", (long long)span->count);
    ic_json_end(json);
}

static void row_json(ic_json *json, const ic_engine_row *row)
{
    ic_json_object(json, NULL);
    ic_json_text(json, "engine", row->name);
    ic_json_text(json, "config", row->config);
    ic_json_number(json, "step", row->step);
    ic_json_integer(json, "phases", (long long)row->phases);
    ic_json_text(json, "law", row->law.decided ? row->law.candidates[0].name : NULL);
    ic_json_text(json, "law_at_table_2", row->table_2);
    span_json(json, "restitution", &row->restitution);
    span_json(json, "energy_ratio", &row->energy);
    span_json(json, "tip_x", &row->tip_x);
    span_json(json, "tip_y", &row->tip_y);
    ic_json_end(json);
}

static void print_json(const request *r, const ic_engine_row *rows, const cli_audit_result *result)
{
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    cli_audit_json_members(&json, result);
    ic_json_array(&json, "engines");
    for (size_t i = 0; i < cli_engine_list_count(&r->list) * IC_ENGINE_CONFIGS; i++) row_json(&json, &rows[i]);
    ic_json_end(&json);
    ic_json_array_line(&json, "not_built");
    for (size_t i = 0; i < r->list.n; i++) {
        if (r->list.engines[i].program[0] == '\0') ic_json_text(&json, NULL, r->list.engines[i].name);
    }
    ic_json_end(&json);
    ic_json_end(&json);
}

/* ---- all */

static bool report_engines(const request *r, const ic_engine_row *rows, const cli_audit_result *judged)
{
    const size_t n = cli_engine_list_count(&r->list) * IC_ENGINE_CONFIGS;
    ic_classification laws[CLI_ENGINES_MOST * IC_ENGINE_CONFIGS];
    cli_audit_result result = *judged;
    result.classifications = laws;
    if (cli_has(r->arguments, CLI_AUDIT_JSON)) {
        for (size_t i = 0; i < n; i++) {
            if (rows[i].law.count > 0) laws[result.n_classifications++] = rows[i].law;
        }
        print_json(r, rows, &result);
    } else if (cli_has(r->arguments, CLI_AUDIT_QUIET)) {
        cli_audit_print_if_not_good(&result);
    } else {
        cli_audit_print_headline(&result);
        if (n > 0 && !print_table(rows, n, result.findings)) return false;
        print_laws(rows, n);
        cli_audit_print_failures(&result);
        putchar('\n');
        cli_engine_list_missing(&r->list);
    }
    return true;
}

static int exit_status(const request *r, const ic_engine_row *rows, size_t n, const cli_audit_result *result)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].failed) return CLI_FAILURE;
    }
    return cli_audit_status(r->arguments, result);
}

/* ---- each engine in a process */

typedef struct engines_audit {
    const request *request;
    ic_engine_row *rows;
    ic_findings findings;
    cli_times times;
    const cli_engine *built[CLI_ENGINES_MOST];
    size_t n_built;
} engines_audit;

/* Processor time, s, of the child processes that have ended: programs of engines run in them. */
static double time_of_children(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* Names and units are constants of this program, which all processes have. */
static void do_engine(FILE *answer, size_t part, void *context)
{
    const engines_audit *a = context;
    const cli_engine *engine = a->built[part];
    ic_engine_row rows[IC_ENGINE_CONFIGS];
    ic_findings findings = {0};
    const ic_engine_request asked = {.program = engine->program,
                                     .name = engine->name,
                                     .variant = engine->variant,
                                     .phases = a->request->phases,
                                     .time_limit = a->request->time_limit};
    const double began = time_of_children();
    ic_audit_engine(&findings, rows, &asked);
    const double seconds = time_of_children() - began;
    fwrite(&seconds, sizeof seconds, 1, answer);
    fwrite(rows, sizeof rows, 1, answer);
    fwrite(&findings.no_memory, sizeof findings.no_memory, 1, answer);
    if (findings.count > 0) fwrite(findings.rows, sizeof *findings.rows, findings.count, answer);
    ic_findings_free(&findings);
}

static bool take_engine(const char *answer, size_t size, size_t part, void *context)
{
    engines_audit *a = context;
    bool no_memory = false;
    double seconds = 0;
    const size_t head = sizeof seconds + IC_ENGINE_CONFIGS * sizeof *a->rows + sizeof no_memory;
    memcpy(&seconds, answer, sizeof seconds);
    memcpy(&a->rows[part * IC_ENGINE_CONFIGS], answer + sizeof seconds, IC_ENGINE_CONFIGS * sizeof *a->rows);
    memcpy(&no_memory, answer + head - sizeof no_memory, sizeof no_memory);
    a->findings.no_memory |= no_memory;
    for (size_t at = head; at + sizeof(ic_finding) <= size; at += sizeof(ic_finding)) {
        ic_finding finding;
        memcpy(&finding, answer + at, sizeof finding);
        ic_findings_add(&a->findings, &finding);
    }
    cli_audit_watch(a->built[part]->name, seconds, &a->times);
    return true;
}

static int report_audit(engines_audit *a)
{
    const request *r = a->request;
    cli_audit_result result = {.input = "engine",
                               .path = cli_value(r->arguments, CLI_AUDIT_ENGINE),
                               .findings = &a->findings,
                               .times = cli_has(r->arguments, CLI_AUDIT_TIMES) ? &a->times : NULL};
    const bool good = !a->findings.no_memory && report_engines(r, a->rows, &result) &&
                      cli_audit_show_times(r->arguments, &result);
    const int status = good ? exit_status(r, a->rows, a->n_built * IC_ENGINE_CONFIGS, &result)
                            : cli_no_memory(r->arguments->command);
    return good && !cli_audit_write_reports(r->arguments, &result) ? CLI_FAILURE : status;
}

static int audit_engines(const request *r, ic_engine_row *rows, size_t jobs)
{
    engines_audit a = {.request = r, .rows = rows};
    ic_error error = {""};
    for (size_t i = 0; i < r->list.n; i++) {
        if (r->list.engines[i].program[0] != '\0') a.built[a.n_built++] = &r->list.engines[i];
    }
    const ic_ordered_work work = {
        .jobs = jobs, .parts = a.n_built, .work = do_engine, .take = take_engine, .context = &a};
    cli_progress_begin("audit", cli_has(r->arguments, CLI_AUDIT_QUIET));
    const bool good = ic_workers_run_ordered(&work, &error);
    cli_progress_end();
    int status = CLI_FAILURE;
    if (good) status = report_audit(&a);
    else if (error.text[0] != '\0') cli_failure(r->arguments->command, "%s", error.text);
    ic_findings_free(&a.findings);
    cli_times_free(&a.times);
    return status;
}

/* Options that would have no effect beside the others. */
static bool options_fit(const cli_arguments *arguments)
{
    static const struct {
        size_t option;
        const char *says;
        bool engines, scenes, threads;
    } fits[] = {{CLI_AUDIT_CONFIG, "--config goes with --scenes or --thread only", false, true, true},
                {CLI_AUDIT_PHASES, "--phases does not go with --scenes or --thread", true, false, false},
                {CLI_AUDIT_RESULTS, "--results goes with --scenes only", false, true, false},
                {CLI_AUDIT_SCENES, "--scenes does not go with --thread", true, true, false}};
    const bool thread = cli_has(arguments, CLI_AUDIT_THREAD), scenes = cli_has(arguments, CLI_AUDIT_SCENES);
    for (size_t i = 0; i < IC_COUNT(fits); i++) {
        const bool fit = thread ? fits[i].threads : scenes ? fits[i].scenes : fits[i].engines;
        if (!fit && cli_has(arguments, fits[i].option))
            return cli_refuse(arguments->command, "option %s", fits[i].says);
    }
    return true;
}

int cli_audit_engines(const cli_arguments *arguments)
{
    request r = {.arguments = arguments, .phases = IC_ENGINE_PHASES, .time_limit = IC_ENGINE_TIME_LIMIT};
    size_t jobs;
    if (!options_fit(arguments)) return CLI_BAD_INPUT;
    if (cli_has(arguments, CLI_AUDIT_THREAD)) return cli_audit_threads(arguments);
    if (cli_has(arguments, CLI_AUDIT_SCENES)) return cli_audit_scenes(arguments);
    if (!cli_whole(arguments, CLI_AUDIT_PHASES, 1, IC_ENGINE_PHASES_MOST, &r.phases) ||
        !cli_positive(arguments, CLI_AUDIT_TIME_LIMIT, INFINITY, &r.time_limit))
        return CLI_BAD_INPUT;
    if (!cli_jobs(arguments, CLI_AUDIT_JOBS, &jobs)) return CLI_BAD_INPUT;
    if (cli_engine_list_read(&r.list, arguments, CLI_AUDIT_ENGINE) != CLI_GOOD) return CLI_BAD_INPUT;
    ic_engine_row *rows = calloc(r.list.n * IC_ENGINE_CONFIGS, sizeof *rows);
    if (rows == NULL) return cli_no_memory(arguments->command);
    const int status = audit_engines(&r, rows, jobs);
    free(rows);
    return status;
}
