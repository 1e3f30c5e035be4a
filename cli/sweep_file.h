/* SPDX-License-Identifier: MIT */
/**
 * The file of a sweep, which grows as FILE.part and gets its name when it is complete.
 *
 * FILE.part begins with lines that state the request. After them come chunks of parameter sets in
 * order, each with a checksum. If the file is cut off or damaged at its end, even after a loss of
 * power, the number of complete chunks is known, and an interrupted sweep resumes after them.
 */
#pragma once

#include "sweep/distribution.h"
#include "sweep/part.h"

#include <stdio.h>

struct cli_sweep_format;

typedef struct cli_sweep_file {
    const ic_sweep *sweep;
    const struct cli_sweep_format *format;

    /* FILE after all symbolic links are followed */
    char *path;

    char *part;
    FILE *stream;

    /* errno of a write that failed; 0: none did. */
    int why;

    ic_bytes header;

    /* those before are there */
    size_t first_chunk;

    /* of the parameter sets in them */
    ic_sweep_counts before;
} cli_sweep_file;

/** A file format, which the ending of the name selects. */
typedef struct cli_sweep_format {
    /* ".csv" */
    const char *extension;

    /* first words of FILE.part */
    const char *what;

    /* how parameter sets are written in it */
    const ic_part_format *part;

    /* make FILE of FILE.part */
    bool (*finish)(cli_sweep_file *file, ic_error *error);
} cli_sweep_format;

extern const cli_sweep_format cli_sweep_csv, cli_sweep_hdf5;

/** Name and unit of column i of the record. The name is written to `name`. */
const char *cli_sweep_column(char name[80], const ic_sweep *sweep, size_t i);

/**
 * Open a new FILE.part, or (`resume`) continue one from an earlier call. false: `error` gives the
 * reason.
 */
bool cli_sweep_file_open(cli_sweep_file *file, const ic_sweep *sweep, const char *path, bool resume,
                         ic_error *error);

/** false: FILE.part could not be written, for cli_sweep_file_why. */
bool cli_sweep_file_append(void *file, const void *bytes, size_t n);
const char *cli_sweep_file_why(const cli_sweep_file *file);

/** Everything that was appended is in FILE.part. */
bool cli_sweep_file_flush(cli_sweep_file *file);

/** The sweep is complete: make FILE. false: `error` gives the reason; FILE.part remains. */
bool cli_sweep_file_commit(cli_sweep_file *file, ic_error *error);

void cli_sweep_file_remove(cli_sweep_file *file);

void cli_sweep_file_close(cli_sweep_file *file);
