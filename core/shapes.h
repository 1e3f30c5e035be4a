/* SPDX-License-Identifier: MIT */
/** Kinds of shapes: their names, and the parts of their coordinates. */
#pragma once

#include "impactcheck/impactcheck.h"

/** Consecutive coordinates with a name: "from", x and y. */
typedef struct ic_shape_part {
    /* NULL ends the list. */
    const char *name;

    /* Number of coordinates: 1 or 2. */
    size_t n;

    /* False for an angle, which is a number without unit and 0 if it is omitted. */
    bool length;
} ic_shape_part;

typedef struct ic_shape_form {
    /* Name in case files: "ball". */
    const char *name;

    const ic_shape_part *parts;
} ic_shape_form;

/** By kind. */
extern const ic_shape_form ic_shape_forms[];
enum { IC_SHAPE_KINDS = IC_SHAPE_TEXT + 1, IC_SHAPE_COORDINATES = 5 /* of a shape, at most */ };

/** Number of coordinates of a shape. */
size_t ic_shape_size(ic_shape_kind kind);

/** Number of coordinates of all shapes of a case. */
size_t ic_sketch_size(const ic_case *system);
