/* SPDX-License-Identifier: MIT */
/* Scenes are played, each engine in one configuration by a process of its own, and judged. */
#include "cli/audit.h"
#include "cli/audit_scenes.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names */

void cli_scene_part_name(cli_scene_part *p, const char *name)
{
    const bool variant = p->engine->variant[0] != '\0';
    snprintf(p->name, sizeof p->name, "%.*s%s%s", (int)fmin((double)strcspn(name, " "), CLI_ENGINE_NAME - 1),
             name, variant ? ":" : "", variant ? p->engine->variant : "");
}

/* "pebble 0.1": what the engine says of itself in the first scene in which it does; "": nothing. */
static const char *said_by(const cli_scenes_audit *a, size_t part)
{
    for (size_t k = 0; k < a->scenes.n; k++) {
        const char *engine = a->results[part * a->scenes.n + k].engine;
        if (engine[0] != '\0') return engine;
    }
    return "";
}

/* Programs given by their paths are called what they say. */
static void name_programs(cli_scenes_audit *a)
{
    for (size_t i = 0; i < a->n_parts; i++) {
        const char *said = said_by(a, i);
        bool alone = said[0] != '\0' && a->parts[i].engine->known == NULL;
        for (size_t k = 0; k < a->n_parts && alone; k++) {
            const size_t length = strcspn(said, " ");
            alone = strcmp(a->parts[k].engine->program, a->parts[i].engine->program) == 0 ||
                    strncmp(said_by(a, k), said, length + 1) != 0;
        }
        if (alone) cli_scene_part_name(&a->parts[i], said);
    }
}

/* ---- the work, in processes */

/* In a process of its own, so that no scene depends on those before it; the worst setting once more, in another. */
static bool play_scene(ic_scene_result *result, const ic_scene_file *file, const double *answers,
                       ic_scene_player *player)
{
    bool good = ic_scene_audit(result, file, answers, player);
    ic_scene_player_close(player);
    good = good && ic_scene_repeat(result, answers, player);
    ic_scene_player_close(player);
    return good;
}

static void do_part(FILE *answer, size_t i, void *context)
{
    const cli_scenes_audit *a = context;
    ic_scene_player player = {.program = a->parts[i].engine->program,
                              .variant = a->parts[i].engine->variant,
                              .config = a->parts[i].config,
                              .seconds = a->seconds,
                              .disguised = a->drawn,
                              .seed = a->seed,
                              .strict = a->parts[i].engine->known == NULL &&
                                        !cli_has(a->arguments, CLI_AUDIT_LENIENT)};
    const double began = ic_process_now();
    ic_scene_result *results = calloc(a->scenes.n + 1, sizeof *results);
    bool good = results != NULL;
    for (size_t k = 0; k < a->scenes.n && good; k++)
        good = play_scene(&results[k], a->scenes.files[k], a->scenes.answers[k], &player);
    fputc(good ? 1 : 0, answer);
    for (size_t k = 0; k < a->scenes.n && good; k++) ic_scene_result_write(answer, &results[k]);
    const double seconds = ic_process_now() - began;
    fwrite(&seconds, sizeof seconds, 1, answer);
    for (size_t k = 0; results != NULL && k < a->scenes.n; k++) ic_scene_result_free(&results[k]);
    free(results);
}

static bool take_part(const char *answer, size_t size, size_t i, void *context)
{
    cli_scenes_audit *a = context;
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

bool cli_audit_play(const cli_arguments *arguments, const ic_ordered_work *work)
{
    ic_error error = {""};
    cli_progress_begin("audit", cli_has(arguments, CLI_AUDIT_QUIET));
    const bool good = ic_workers_run_ordered(work, &error);
    cli_progress_end();
    if (!good && error.text[0] != '\0') cli_failure(arguments->command, "%s", error.text);
    return good;
}

int cli_scenes_play(cli_scenes_audit *a)
{
    const size_t n = a->scenes.n;
    a->results = calloc(a->n_parts * n + 1, sizeof *a->results);
    if (a->results == NULL) return cli_no_memory(a->arguments->command);
    const ic_ordered_work work = {
        .jobs = a->jobs, .parts = a->n_parts, .work = do_part, .take = take_part, .context = a};
    if (!cli_audit_play(a->arguments, &work)) return CLI_FAILURE;
    name_programs(a);
    for (size_t i = 0; i < a->n_parts; i++) ic_scene_share_causes(&a->results[i * n], n);
    for (size_t i = 0; i < a->n_parts * n; i++)
        ic_scene_add_findings(&a->findings, &a->results[i], a->parts[i / n].name);
    return a->findings.no_memory ? cli_no_memory(a->arguments->command) : CLI_GOOD;
}
