/* SPDX-License-Identifier: MIT */
/**
 * One run of an engine's program (protocol: docs/engines.md) as a child with a time
 * limit, and its rows.
 */
#ifndef IC_AUDIT_ENGINE_RUN_H
#define IC_AUDIT_ENGINE_RUN_H

#include "audit/engine/engine_rows.h"
#include "audit/engine/engine_scene.h"
#include "audit/scene/scene_player.h"

/** The engine that simulates a scene: a program, or an engine of a plugin. */
typedef struct ic_engine_source {
    /* plays the scenes by a program; NULL: an engine of a plugin */
    ic_scene_player *player;

    /* the plugin's path */
    const char *library;

    /* of the engine in the plugin's table */
    size_t index;
} ic_engine_source;

/** Runs the engine for at most `seconds`. Its standard error is discarded. */
ic_engine_motion ic_engine_run(const ic_engine_source *source, const ic_engine_scene *scene, double seconds);

#endif
