/* SPDX-License-Identifier: MIT */
/** Results of scenes as JSON: reports/schema/engines.yaml. */
#ifndef IC_CLI_AUDIT_SCENES_H
#define IC_CLI_AUDIT_SCENES_H

#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "cli/audit_text.h"
#include "cli/engine_list.h"

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

typedef struct cli_scene_results {
    const cli_scene_part *parts;
    size_t n_parts;
    const ic_scenes *scenes;

    /* of the first part in all scenes, then of the second */
    const ic_scene_result *results;
} cli_scene_results;

/** One object: the verdict of all, the scenes, and the results. */
void cli_audit_scenes_json(FILE *out, const cli_audit_result *audit, const cli_scene_results *results,
                           const cli_engine_list *engines);

/** The motion of a result, "motion": null without one. */
void cli_scene_motion_json(ic_json *json, const ic_scene_result *result);

/** "0.5; <= 1 +- 0.01 m/s": measured, exact, and the tolerance. */
void cli_scene_point_text(char *text, size_t size, const ic_scene_figure *figure, const ic_scene_point *point);

#endif
