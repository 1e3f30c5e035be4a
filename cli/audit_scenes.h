/* SPDX-License-Identifier: MIT */
/**
 * An audit of engines by scenes: it is read (audit_scenes.c), played (scenes_play.c), and then printed (scenes_text.c)
 * or written as JSON (scenes_json.c).
 */
#pragma once

#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "cli/audit_text.h"
#include "cli/engine_list.h"
#include "cli/file.h"
#include "cli/parts.h"
#include "validation/workers.h"

/** One engine in one configuration is a part. */
typedef struct cli_scene_part {
    const cli_engine *engine;
    const char *config;

    /*
     * The name that people see: "simbody:newton"; the one that a program given by its path tells,
     * "pebble", or the path, where two say the same.
     */
    char name[2 * CLI_ENGINE_NAME + 1];
} cli_scene_part;

/* "default" and "best" */
enum { CLI_SCENE_CONFIGS = 2 };

typedef struct cli_scenes_audit {
    const cli_arguments *arguments;
    cli_engine_list engines;
    ic_scenes scenes;

    /* names of the scenes, as they were given */
    const char *asked;

    /* time limit of a scene, s */
    double seconds;

    /* settings are drawn, and scenes are disguised, with the seed: of programs by their paths, or with --seed */
    bool drawn;
    size_t seed;

    /* processes at the same time */
    size_t jobs;

    cli_scene_part parts[CLI_MOST_ENGINES * CLI_SCENE_CONFIGS];
    size_t n_parts;

    /* of the first part in all scenes, then of the second */
    ic_scene_result *results;

    ic_findings findings;
    cli_times times;

    /* of --results */
    cli_file file;
} cli_scenes_audit;

/** Name a part by its engine, or by what a program says. */
void cli_scene_part_name(cli_scene_part *part, const char *name);

/** Do the parts of an audit in order, and show their progress. false: a message has been printed. */
bool cli_audit_play(const cli_arguments *arguments, const ic_ordered_work *work);

/**
 * Play all scenes by all parts, each part in a process of its own, and judge them: results, names of programs, findings.
 * Returns the exit status; if it is not CLI_GOOD, the reason has been printed.
 */
int cli_scenes_play(cli_scenes_audit *a);

/** Tables for people: a row for each scene or, of many, for each engine; laws of impacts; failures. false: no memory. */
bool cli_scenes_print(const cli_scenes_audit *a, const cli_audit_result *audit);

/** One object: the verdict of all, the scenes, and the results (reports/schema/engines.yaml). */
void cli_scenes_json(FILE *out, const cli_scenes_audit *a, const cli_audit_result *audit);

/** The motion of a result, "motion": null without one. */
void cli_scene_motion_json(ic_json *json, const ic_scene_result *result);

/** "0.5; <= 1 +- 0.01 m/s": measured, exact, and the tolerance. */
void cli_scene_point_text(char *text, size_t size, const ic_scene_figure *figure, const ic_scene_point *point);
