/* SPDX-License-Identifier: MIT */
/** The scenes of this folder, which tools/embed.cmake compiles in. */
#pragma once

#include <stddef.h>

typedef struct ic_scene_text {
    /* relative to scenes/: "ball-on-ground.yaml" */
    const char *path;

    /* ends with a 0 that is not counted */
    const char *text;

    /* bytes */
    size_t length;
} ic_scene_text;

/** Sorted by path. */
extern const ic_scene_text ic_scene_texts[];
extern const size_t ic_scene_text_count;
