/* SPDX-License-Identifier: MIT */
/**
 * The files of reference data, embedded in the binary, so that the command needs no data folder at
 * run time.
 *
 * tools/embed.cmake generates the table from reference/errata.csv, reference/published/ and
 * reference/enclosures/.
 */
#pragma once

#include <stddef.h>

/** A file of reference data. */
typedef struct ic_embedded {
    /* path relative to reference/, such as "published/roller.csv" */
    const char *path;

    /* followed by a 0 that is not counted */
    const char *text;

    /* size in bytes */
    size_t length;
} ic_embedded;

/** Sorted by path. */
extern const ic_embedded ic_embedded_files[];
extern const size_t ic_embedded_count;
