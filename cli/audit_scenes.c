/* SPDX-License-Identifier: MIT */
/* impactcheck audit --engine: engines that play scenes (docs/engines.md). It reads, plays, and reports. */
#include "cli/audit_scenes.h"
#include "cli/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* default time limit of a scene, s */
#define TIME_LIMIT 20.0

static const char *const configs[CLI_SCENE_CONFIGS] = {"default", "best"};

/* ---- what is asked */

/* A line for each fault of a file. */
static void refuse_scenes(const cli_arguments *arguments, const ic_error *error)
{
    for (const char *line = error->text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        cli_bad_input(arguments->command, "option --scenes: %.*s", (int)length, line);
        line += length + (line[length] != '\0');
    }
}

static void add_part(cli_scenes_audit *a, const cli_engine *engine, const char *config)
{
    cli_scene_part *p = &a->parts[a->n_parts++];
    *p = (cli_scene_part){.engine = engine, .config = config};
    cli_scene_part_name(p, engine->name);
}

/* The configurations of --config; both by default. */
static bool add_parts(cli_scenes_audit *a)
{
    const char *config = cli_value(a->arguments, CLI_AUDIT_CONFIG);
    if (config != NULL && strcmp(config, configs[0]) != 0 && strcmp(config, configs[1]) != 0)
        return cli_refuse(a->arguments->command, "option --config: '%s' is neither default nor best", config);
    for (size_t i = 0; i < a->engines.n; i++) {
        for (int c = 0; c < CLI_SCENE_CONFIGS && a->engines.engines[i].program[0] != '\0'; c++) {
            if (config == NULL || strcmp(config, configs[c]) == 0)
                add_part(a, &a->engines.engines[i], configs[c]);
        }
    }
    return true;
}

static bool read_options(cli_scenes_audit *a)
{
    const cli_arguments *arguments = a->arguments;
    const char *results = cli_value(arguments, CLI_AUDIT_RESULTS);
    a->seconds = TIME_LIMIT;
    a->asked = cli_has(arguments, CLI_AUDIT_SCENES) ? cli_value(arguments, CLI_AUDIT_SCENES) : "all";
    if (results != NULL && strcmp(results, "-") == 0)
        return cli_refuse(arguments->command,
                          "option --results: a file, not '-'; --json writes to standard output");
    if (!cli_positive(arguments, CLI_AUDIT_TIME_LIMIT, INFINITY, &a->seconds) ||
        !cli_jobs(arguments, CLI_AUDIT_JOBS, &a->jobs) || !cli_audit_seed(arguments, &a->seed) ||
        cli_engine_list_read(&a->engines, arguments, CLI_AUDIT_ENGINE) != CLI_GOOD)
        return false;
    a->drawn = cli_has(arguments, CLI_AUDIT_SEED);
    for (size_t i = 0; i < a->engines.n; i++) a->drawn |= a->engines.engines[i].known == NULL;
    return add_parts(a);
}

/* All that is asked: options, engines, scenes with their exact answers, and the file for results. */
static bool read_audit(cli_scenes_audit *a)
{
    ic_error error;
    if (!read_options(a)) return false;
    const uint64_t seed = a->seed;
    if (ic_scenes_read(&a->scenes, a->asked, a->drawn ? &seed : NULL, &error) &&
        ic_scenes_certify(&a->scenes, &error))
        return cli_file_open_option(&a->file, a->arguments, CLI_AUDIT_RESULTS);
    refuse_scenes(a->arguments, &error);
    return false;
}

/* ---- what is answered */

static int exit_status(const cli_scenes_audit *a, const cli_audit_result *result)
{
    for (size_t i = 0; i < a->n_parts * a->scenes.n; i++) {
        const ic_scene_result *r = &a->results[i];
        for (size_t k = 0; k < r->n_settings; k++) {
            if (r->ends[k] >= IC_MOTION_GARBAGE) return CLI_FAILURE;
        }
    }
    return cli_audit_status(a->arguments, result);
}

static bool show(const cli_scenes_audit *a, const cli_audit_result *result)
{
    if (cli_has(a->arguments, CLI_AUDIT_JSON)) cli_scenes_json(stdout, a, result);
    else if (cli_has(a->arguments, CLI_AUDIT_QUIET)) cli_audit_print_if_not_good(result);
    else if (!cli_scenes_print(a, result)) return false;
    return cli_audit_show_times(a->arguments, result);
}

static int report(cli_scenes_audit *a)
{
    const cli_audit_result result = {.input = "engine",
                                     .path = cli_value(a->arguments, CLI_AUDIT_ENGINE),
                                     .findings = &a->findings,
                                     .of_scenes = true,
                                     .drawn = a->drawn,
                                     .seed = a->seed,
                                     .times = cli_has(a->arguments, CLI_AUDIT_TIMES) ? &a->times : NULL};
    if (!show(a, &result)) return cli_no_memory(a->arguments->command);
    const int status = exit_status(a, &result);
    if (a->file.stream != NULL) cli_scenes_json(a->file.stream, a, &result);
    const bool written = cli_file_finish(&a->file, a->arguments, "option --results: ");
    return written && cli_audit_write_reports(a->arguments, &result) ? status : CLI_FAILURE;
}

/* ---- all */

static void release(cli_scenes_audit *a)
{
    for (size_t i = 0; a->results != NULL && i < a->n_parts * a->scenes.n; i++)
        ic_scene_result_free(&a->results[i]);
    free(a->results);
    cli_file_discard(&a->file);
    ic_findings_free(&a->findings);
    cli_times_free(&a->times);
    ic_scenes_free(&a->scenes);
}

static int audit_scenes(const cli_arguments *arguments)
{
    static cli_scenes_audit a;
    a = (cli_scenes_audit){.arguments = arguments};
    int status = read_audit(&a) ? CLI_GOOD : CLI_BAD_INPUT;
    if (status == CLI_GOOD) status = cli_scenes_play(&a);
    if (status == CLI_GOOD) status = report(&a);
    release(&a);
    return status;
}

int cli_audit_engines(const cli_arguments *arguments)
{
    const bool scenes = cli_has(arguments, CLI_AUDIT_SCENES);
    if (!cli_has(arguments, CLI_AUDIT_THREAD)) return audit_scenes(arguments);
    if (!scenes && !cli_has(arguments, CLI_AUDIT_RESULTS)) return cli_audit_threads(arguments);
    return cli_bad_input(arguments->command, "option %s does not go with --thread",
                         scenes ? "--scenes" : "--results");
}
