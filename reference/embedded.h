/* SPDX-License-Identifier: MIT */
/**
 * The files of reference data, compiled in, so that the command needs no data folder at run time.
 *
 * The table is generated from reference/errata.csv, reference/published/ and reference/enclosures/ by
 * tools/embed.cmake.
 */
#ifndef IMPACTCHECK_REFERENCE_EMBEDDED_H
#define IMPACTCHECK_REFERENCE_EMBEDDED_H

#include <stddef.h>

/** A file of reference data. */
typedef struct ic_embedded {
    const char *path; /* relative to reference/: "published/roller.csv" */
    const char *text; /* ends with a 0 that is not counted */
    size_t length;    /* bytes */
} ic_embedded;

/** Sorted by path. */
extern const ic_embedded ic_embedded_files[];
extern const size_t ic_embedded_count;

#endif
