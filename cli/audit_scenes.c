/* SPDX-License-Identifier: MIT */
/* impactcheck audit --engine: engines that play scenes (docs/engines.md). */

#include "cli/audit_scenes.h"
#include "audit/scene/scene_result.h"
#include "cli/audit.h"
#include "cli/engine_list.h"
#include "cli/file.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "validation/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* default time limit of a scene, s */
#define TIME_LIMIT 20.0

static const char *const configs[] = {"default", "best"};
/* rows of the table of scenes; if there were more, a row is an engine */
enum { CONFIGS = 2, MOST_ROWS = 80 };

typedef struct scenes_audit {
    const cli_arguments *arguments;
    cli_engine_list list;
    ic_scenes scenes;
    double seconds;

    cli_scene_part parts[CLI_MOST_ENGINES * CONFIGS];
    size_t n_parts;

    /* n_parts x scenes.n */
    ic_scene_result *results;
    ic_findings findings;

    /* of --results */
    cli_file file;
    cli_times times;
} scenes_audit;

static const char *scenes_asked(const cli_arguments *arguments)
{
    return cli_has(arguments, CLI_AUDIT_SCENES) ? cli_value(arguments, CLI_AUDIT_SCENES) : "all";
}

static void name_part(cli_scene_part *p, const char *name)
{
    const bool variant = p->engine->variant[0] != '\0';
    snprintf(p->name, sizeof p->name, "%.*s%s%s", (int)fmin((double)strcspn(name, " "), CLI_ENGINE_NAME - 1),
             name, variant ? ":" : "", variant ? p->engine->variant : "");
}

static void add_part(scenes_audit *a, const cli_engine *engine, const char *config)
{
    cli_scene_part *p = &a->parts[a->n_parts++];
    *p = (cli_scene_part){.engine = engine, .config = config};
    name_part(p, engine->name);
}

/* "pebble 0.1": what the engine says of itself in the first scene in which it does; "": nothing. */
static const char *said_by(const scenes_audit *a, size_t part)
{
    for (size_t k = 0; k < a->scenes.n; k++) {
        const char *engine = a->results[part * a->scenes.n + k].engine;
        if (engine[0] != '\0') return engine;
    }
    return "";
}

/* Programs given by their paths are called what they say. */
static void name_programs(scenes_audit *a)
{
    for (size_t i = 0; i < a->n_parts; i++) {
        const char *said = said_by(a, i);
        bool alone = said[0] != '\0' && a->parts[i].engine->known == NULL;
        for (size_t k = 0; k < a->n_parts && alone; k++) {
            const size_t length = strcspn(said, " ");
            alone = strcmp(a->parts[k].engine->program, a->parts[i].engine->program) == 0 ||
                    strncmp(said_by(a, k), said, length + 1) != 0;
        }
        if (alone) name_part(&a->parts[i], said);
    }
}

/* ---- the work, in processes */

static void do_part(FILE *answer, size_t i, void *context)
{
    const scenes_audit *a = context;
    ic_scene_player player = {.program = a->parts[i].engine->program,
                              .variant = a->parts[i].engine->variant,
                              .config = a->parts[i].config,
                              .seconds = a->seconds};
    const double began = ic_process_now();
    ic_scene_result *results = calloc(a->scenes.n + 1, sizeof *results);
    bool good = results != NULL;
    for (size_t k = 0; k < a->scenes.n && good; k++)
        good = ic_scene_audit(&results[k], a->scenes.files[k], a->scenes.answers[k], &player);
    ic_scene_player_close(&player);
    for (size_t k = 0; k < a->scenes.n && good; k++)
        good = ic_scene_repeat(&results[k], a->scenes.answers[k], &player);
    ic_scene_player_close(&player);
    fputc(good ? 1 : 0, answer);
    for (size_t k = 0; k < a->scenes.n && good; k++) ic_scene_result_write(answer, &results[k]);
    const double seconds = ic_process_now() - began;
    fwrite(&seconds, sizeof seconds, 1, answer);
    for (size_t k = 0; results != NULL && k < a->scenes.n; k++) ic_scene_result_free(&results[k]);
    free(results);
}

static bool take_part(const char *answer, size_t size, size_t i, void *context)
{
    scenes_audit *a = context;
    double seconds = 0;
    (void)size;
    bool good = *answer++ != 0;
    for (size_t k = 0; k < a->scenes.n && good; k++) {
        ic_scene_result *result = &a->results[i * a->scenes.n + k];
        good = ic_scene_result_read(result, &answer);
    }
    a->findings.no_memory |= !good;
    if (!good) return false;
    memcpy(&seconds, answer, sizeof seconds);
    cli_audit_watch(a->parts[i].name, seconds, &a->times);
    return true;
}

/* ---- for people */

void cli_scene_point_text(char *text, size_t size, const ic_scene_figure *figure, const ic_scene_point *point)
{
    static const char *const bounds[] = {
        [IC_BOUND_IS] = "", [IC_BOUND_BELOW] = "<= ", [IC_BOUND_ABOVE] = ">= "};
    const bool unit = strcmp(figure->unit, "1") != 0;
    char measured[32];
    ic_scene_number_text(measured, sizeof measured, point->measured, 4);
    snprintf(text, size, "%s; %s%.4g +- %.2g%s%s", measured, bounds[figure->bound], point->exact,
             point->tolerance, unit ? " " : "", unit ? figure->unit : "");
}

static void figure_cell(char *text, size_t size, const ic_scene_result *r, const char **name)
{
    const size_t worst = ic_scene_worst_figure(r);
    const ic_scene_figure *figure = &r->file->figures[worst];
    *name = figure->name;
    cli_scene_point_text(text, size, figure, ic_scene_point_of(r, r->figures[worst].worst, worst));
}

/* The mistakes of a scene by name, each once; a figure without one by its own name. */
static void found_cell(char *text, size_t size, const ic_scene_result *r)
{
    text[0] = '\0';
    for (size_t k = 0; k < r->file->n_figures; k++) {
        const ic_figure_result *f = &r->figures[k];
        if (f->failed + f->unpromised == 0) continue;
        const char *name = f->cause != IC_NO_MISTAKE ? ic_mistake_name(f->cause) : r->file->figures[k].name;
        const size_t used = strlen(text);
        if (strstr(text, name) == NULL) snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

static void scene_row(cli_table *table, const scenes_audit *a, size_t i, const ic_scene_result *r)
{
    char value[160] = "-", found[200];
    const char *figure = "-", *name = a->parts[i].name;
    found_cell(found, sizeof found, r);
    if (r->broken < r->n_settings) figure_cell(value, sizeof value, r, &figure);
    else snprintf(found, sizeof found, "%.100s", r->detail);
    CLI_ROW(table, name, r->config, r->file->name, ic_scene_verdict_text(r->verdict), figure, value,
            found[0] != '\0' ? found : "-");
}

static bool print_scenes(const scenes_audit *a)
{
    cli_table *table = cli_table_of("engine|set|scene|verdict|worst figure|measured; exact|found");
    for (size_t i = 0; i < a->n_parts; i++) {
        for (size_t k = 0; k < a->scenes.n; k++) scene_row(table, a, i, &a->results[i * a->scenes.n + k]);
    }
    return cli_table_finish(table, 0, true);
}

/* Many engines: a row for each. */
static bool print_engines(const scenes_audit *a)
{
    cli_table *table = cli_table_of("engine|set|version|pass>|fail>|not promised>|not offered>|s>");
    for (size_t i = 0; i < a->n_parts; i++) {
        size_t counts[IC_SCENE_UNDECIDED + 1] = {0};
        char cells[5][32];
        const char *version = "-", *name = a->parts[i].name;
        double seconds = 0;
        for (size_t k = 0; k < a->scenes.n; k++) {
            const ic_scene_result *r = &a->results[i * a->scenes.n + k];
            counts[r->verdict]++;
            seconds += r->seconds;
            if (r->engine[0] != '\0') version = r->engine;
        }
        for (int c = 0; c < 4; c++) snprintf(cells[c], sizeof cells[c], "%zu", counts[c]);
        snprintf(cells[4], sizeof cells[4], "%.1f", seconds);
        CLI_ROW(table, name, a->parts[i].config, version, cells[0], cells[1], cells[2], cells[3], cells[4]);
    }
    return cli_table_finish(table, 0, true);
}

/* The law of each engine's impacts, or why none is told. */
static void print_laws(const scenes_audit *a)
{
    for (size_t i = 0; i < a->n_parts * a->scenes.n; i++) {
        const ic_scene_result *r = &a->results[i];
        if (r->law.found.count == 0) continue;
        printf("\n%s, %s: impact law %s%s: %s\n", a->parts[i / a->scenes.n].name, r->config,
               r->law.found.decided ? "" : "unknown; nearest ", r->law.found.candidates[0].name,
               r->law.found.detail);
    }
}

/* ---- all */

static void write_json(const scenes_audit *a, const cli_audit_result *result, FILE *out)
{
    const cli_scene_results results = {
        .results = a->results, .parts = a->parts, .n_parts = a->n_parts, .scenes = &a->scenes};
    cli_audit_scenes_json(out, result, &results, &a->list);
}

static bool write_results(scenes_audit *a, const cli_audit_result *result)
{
    if (a->file.stream != NULL) write_json(a, result, a->file.stream);
    return cli_file_finish(&a->file, a->arguments, "option --results: ");
}

static bool report(scenes_audit *a, const cli_audit_result *result)
{
    if (cli_has(a->arguments, CLI_AUDIT_JSON)) {
        write_json(a, result, stdout);
        return true;
    }
    if (cli_has(a->arguments, CLI_AUDIT_QUIET)) {
        cli_audit_print_if_not_good(result);
        return true;
    }
    cli_audit_print_headline(result);
    const bool many = a->n_parts * a->scenes.n > MOST_ROWS;
    if (!(many ? print_engines(a) : print_scenes(a))) return false;
    print_laws(a);
    if (!many) cli_audit_print_failures(result);
    else printf("\nDetails of one: impactcheck audit --engine NAME --scenes %s\n", scenes_asked(a->arguments));
    cli_engine_list_missing(&a->list);
    return true;
}

static int exit_status(const scenes_audit *a, const cli_audit_result *result)
{
    for (size_t i = 0; i < a->n_parts * a->scenes.n; i++) {
        const ic_scene_result *r = &a->results[i];
        for (size_t k = 0; k < r->n_settings; k++) {
            if (r->ends[k] >= IC_MOTION_GARBAGE) return CLI_FAILURE;
        }
    }
    return cli_audit_status(a->arguments, result);
}

static int report_audit(scenes_audit *a)
{
    cli_audit_result result = {.input = "engine",
                               .path = cli_value(a->arguments, CLI_AUDIT_ENGINE),
                               .findings = &a->findings,
                               .of_scenes = true,
                               .times = cli_has(a->arguments, CLI_AUDIT_TIMES) ? &a->times : NULL};
    name_programs(a);
    for (size_t i = 0; i < a->n_parts; i++) ic_scene_share_causes(&a->results[i * a->scenes.n], a->scenes.n);
    for (size_t i = 0; i < a->n_parts * a->scenes.n; i++)
        ic_scene_add_findings(&a->findings, &a->results[i], a->parts[i / a->scenes.n].name);
    const bool good =
        !a->findings.no_memory && report(a, &result) && cli_audit_show_times(a->arguments, &result);
    const int status = good ? exit_status(a, &result) : cli_no_memory(a->arguments->command);
    const bool written = good && write_results(a, &result) && cli_audit_write_reports(a->arguments, &result);
    return good && !written ? CLI_FAILURE : status;
}

static int run_parts(scenes_audit *a, size_t jobs)
{
    ic_error error = {""};
    const ic_ordered_work work = {
        .jobs = jobs, .parts = a->n_parts, .work = do_part, .take = take_part, .context = a};
    a->results = calloc(a->n_parts * a->scenes.n + 1, sizeof *a->results);
    if (a->results == NULL) return cli_no_memory(a->arguments->command);
    cli_progress_begin("audit", cli_has(a->arguments, CLI_AUDIT_QUIET));
    const bool good = ic_workers_run_ordered(&work, &error);
    cli_progress_end();
    int status = CLI_FAILURE;
    if (good) status = report_audit(a);
    else if (error.text[0] != '\0') cli_failure(a->arguments->command, "%s", error.text);
    for (size_t i = 0; i < a->n_parts * a->scenes.n; i++) ic_scene_result_free(&a->results[i]);
    free(a->results);
    return status;
}

/* The configurations of --config; both by default. */
static bool add_parts(scenes_audit *a)
{
    const char *config = cli_value(a->arguments, CLI_AUDIT_CONFIG);
    if (config != NULL && strcmp(config, configs[0]) != 0 && strcmp(config, configs[1]) != 0)
        return cli_refuse(a->arguments->command, "option --config: '%s' is neither default nor best", config);
    for (size_t i = 0; i < a->list.n; i++) {
        for (int c = 0; c < CONFIGS && a->list.engines[i].program[0] != '\0'; c++) {
            if (config == NULL || strcmp(config, configs[c]) == 0) add_part(a, &a->list.engines[i], configs[c]);
        }
    }
    return true;
}

/* A line for each fault of a file. */
static void refuse_scenes(const cli_arguments *arguments, const ic_error *error)
{
    for (const char *line = error->text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        cli_bad_input(arguments->command, "option --scenes: %.*s", (int)length, line);
        line += length + (line[length] != '\0');
    }
}

int cli_audit_engines(const cli_arguments *arguments)
{
    static scenes_audit a;
    ic_error error;
    size_t jobs;
    int status = CLI_BAD_INPUT;
    if (cli_has(arguments, CLI_AUDIT_THREAD)) {
        const bool scenes = cli_has(arguments, CLI_AUDIT_SCENES);
        if (!scenes && !cli_has(arguments, CLI_AUDIT_RESULTS)) return cli_audit_threads(arguments);
        return cli_bad_input(arguments->command, "option %s does not go with --thread",
                             scenes ? "--scenes" : "--results");
    }
    a = (scenes_audit){.arguments = arguments, .seconds = TIME_LIMIT};
    if (cli_has(arguments, CLI_AUDIT_RESULTS) && strcmp(cli_value(arguments, CLI_AUDIT_RESULTS), "-") == 0)
        return cli_bad_input(arguments->command,
                             "option --results: a file, not '-'; --json writes to standard output");
    if (!cli_positive(arguments, CLI_AUDIT_TIME_LIMIT, INFINITY, &a.seconds) ||
        !cli_jobs(arguments, CLI_AUDIT_JOBS, &jobs) ||
        cli_engine_list_read(&a.list, arguments, CLI_AUDIT_ENGINE) != CLI_GOOD || !add_parts(&a))
        return CLI_BAD_INPUT;
    const bool good =
        ic_scenes_read(&a.scenes, scenes_asked(arguments), &error) && ic_scenes_certify(&a.scenes, &error);
    if (!good) refuse_scenes(arguments, &error);
    else if (cli_file_open_option(&a.file, arguments, CLI_AUDIT_RESULTS)) status = run_parts(&a, jobs);
    cli_file_discard(&a.file);
    ic_findings_free(&a.findings);
    cli_times_free(&a.times);
    ic_scenes_free(&a.scenes);
    return status;
}
