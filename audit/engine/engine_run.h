/* SPDX-License-Identifier: MIT */
/**
 * One run of an engine's program (adapters/engines/scene.h tells its command line), as a child with
 * a time limit; and its rows.
 */
#ifndef IC_AUDIT_ENGINE_RUN_H
#define IC_AUDIT_ENGINE_RUN_H

#include "audit/engine/engine_rows.h"
#include "audit/engine/engine_scene.h"

/** What plays a scene: a program, or an engine of a plugin. */
typedef struct ic_engine_source {
    /* its path; NULL: a plugin's */
    const char *program;

    /* the plugin's path */
    const char *library;

    /* among its engines */
    size_t index;
} ic_engine_source;

/** Run it for at most `seconds`. What it says on standard error goes nowhere. */
ic_engine_motion ic_engine_run(const ic_engine_source *source, const ic_engine_scene *scene, double seconds);

#endif
