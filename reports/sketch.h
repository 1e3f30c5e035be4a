/* SPDX-License-Identifier: MIT */
/**
 * The sketch of a machine as SVG. Its shapes are those of list.json: {"kind": "ball", "label": "m_1",
 * "at": [x, y], "radius": r, "angle": phi}. A shape with a coordinate that is null is not drawn, nor
 * is a line without length; a body without extent is a dot.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct ic_sketch {
    /* The shapes, an array. */
    const json_t *shapes;

    /* The same shapes at another time, drawn faintly behind where they differ visibly. NULL: none. */
    const json_t *later;

    /* Title, also for screen readers; the names of the shapes are appended. */
    const char *title;

    /* True for a file of its own, false for a part of a page. */
    bool alone;
} ic_sketch;

/**
 * Draw a sketch. false: no shape can be drawn, or memory ran out; nothing was written. Errors of the
 * stream are the stream's own (ferror).
 */
bool ic_sketch_write(FILE *stream, const ic_sketch *sketch);

/** Whether all coordinates of a shape are numbers. */
bool ic_sketch_can_draw(const json_t *shape);
