/* SPDX-License-Identifier: MIT */
/** A YAML file as a tree whose nodes know their places. Anchors, aliases and tags are refused. */
#pragma once

#include "casefile/arena.h"
#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stddef.h>

/** A place in a file, counted from 1. Line 0: the file as a whole. */
typedef struct ic_file_place {
    size_t line, column;
} ic_file_place;

typedef enum ic_yaml_kind { IC_YAML_SCALAR, IC_YAML_SEQUENCE, IC_YAML_MAPPING } ic_yaml_kind;

typedef struct ic_yaml ic_yaml;

struct ic_yaml {
    ic_yaml_kind kind;

    ic_file_place place;

    /* Scalar: its value; otherwise empty. */
    const char *text;

    /* Scalar: true if character i of the value is at column + i of the file. */
    bool literal;

    /* Sequence: its items. Mapping: its values. */
    ic_yaml **items;
    size_t n_items;

    /* Mapping: its keys, which are scalars, all different. */
    ic_yaml **keys;
    size_t n_keys;
};

/** Greatest size of a file, bytes, and greatest depth of nesting. */
enum { IC_YAML_SIZE = 1 << 20, IC_YAML_DEPTH = 24 };

/**
 * Read a file that contains one document. NULL: `error` gives reason and place, without the name of
 * the file; `place` receives the place.
 */
ic_yaml *ic_yaml_read(ic_arena *arena, const char *bytes, size_t size, ic_file_place *place, ic_error *error);

/** Value of a key of a mapping; NULL if the key does not exist or the node is not a mapping. */
ic_yaml *ic_yaml_get(const ic_yaml *mapping, const char *key);
