/* SPDX-License-Identifier: MIT */
/**
 * The file of a sweep, which grows in FILE.part and gets its name when it is whole.
 *
 * FILE.part begins with lines that state the request; after them come chunks of parameter
 * sets in order, each with a checksum. Whatever its end is like, even after a loss of power, the
 * number of whole chunks is known, and an interrupted sweep resumes behind them.
 */
#ifndef IC_CLI_SWEEP_FILE_H
#define IC_CLI_SWEEP_FILE_H

#include "sweep/distribution.h"
#include "sweep/part.h"

#include <stdio.h>

struct cli_sweep_format;

typedef struct cli_sweep_file {
    const ic_sweep *sweep;
    const struct cli_sweep_format *format;

    /* FILE, behind all symbolic links */
    char *path;

    char *part;
    FILE *stream;

    /* errno, where it could not be written; 0: it could */
    int why;

    ic_bytes header;

    /* those before are there */
    size_t first_chunk;

    /* of the parameter sets in them */
    ic_sweep_counts before;
} cli_sweep_file;

/** A format of files: chosen by how the name ends. */
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

/**
 * Name of a column that shows varied parameter k: its own, or par.NAME where a column of the record
 * has that name.
 */
void cli_sweep_axis_name(char name[80], const ic_sweep *sweep, size_t k);

/** Name and unit of column i of the record. The name is written to `name`. */
const char *cli_sweep_column(char name[80], const ic_sweep *sweep, size_t i);

/**
 * Open FILE.part anew, or (`resume`) where an earlier call has left it. false: `error` says why
 * not.
 */
bool cli_sweep_file_open(cli_sweep_file *file, const ic_sweep *sweep, const char *path, bool resume,
                         ic_error *error);

/** false: FILE.part could not be written, for cli_sweep_file_why. */
bool cli_sweep_file_append(void *file, const void *bytes, size_t n);
const char *cli_sweep_file_why(const cli_sweep_file *file);

/** Everything that was appended is in FILE.part. */
bool cli_sweep_file_flush(cli_sweep_file *file);

/** It is whole. false: `error` says why that failed; FILE.part stays. */
bool cli_sweep_file_commit(cli_sweep_file *file, ic_error *error);

/** Remove FILE.part. */
void cli_sweep_file_remove(cli_sweep_file *file);

void cli_sweep_file_close(cli_sweep_file *file);

#endif
