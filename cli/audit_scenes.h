/* SPDX-License-Identifier: MIT */
/** Results of scenes as JSON: reports/schema/engines.schema.json. */
#ifndef IC_CLI_AUDIT_SCENES_H
#define IC_CLI_AUDIT_SCENES_H

#include "audit/scene/scene_result.h"
#include "cli/audit_text.h"
#include "cli/engine_list.h"

typedef struct cli_scene_results {
    const ic_scene_result *results;
    size_t n;
} cli_scene_results;

/** One object with the members of every audit, and the results. */
void cli_audit_scenes_json(FILE *out, const cli_audit_result *audit, const cli_scene_results *results,
                           const cli_engine_list *engines);

#endif
