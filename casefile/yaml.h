/* SPDX-License-Identifier: MIT */
/** A YAML file as a tree whose nodes know their places. Anchors, aliases and tags are refused. */
#ifndef IC_CASEFILE_YAML_H
#define IC_CASEFILE_YAML_H

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

    /* scalar: its value; else empty */
    const char *text;

    /* scalar: true if column + i is the place of character i */
    bool literal;

    /* sequence: its items; mapping: its values */
    ic_yaml **items;
    size_t n_items;

    /* mapping: its keys, scalars, all different */
    ic_yaml **keys;
    size_t n_keys;
};

/** The longest file, bytes; the deepest nesting. */
enum { IC_YAML_SIZE = 1 << 20, IC_YAML_DEPTH = 24 };

/**
 * Read a file of one document. NULL: `error` says why and where, without the file's name; `place`
 * receives the place.
 */
ic_yaml *ic_yaml_read(ic_arena *arena, const char *bytes, size_t size, ic_file_place *place, ic_error *error);

/** Value of a key of a mapping; NULL: there is none, or the node is not a mapping. */
ic_yaml *ic_yaml_get(const ic_yaml *mapping, const char *key);

#endif
