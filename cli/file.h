/* SPDX-License-Identifier: MIT */
/**
 * An output file that is there as a whole or not at all.
 *
 * It is written to a temporary file in the same folder, which is renamed when whole, and removed
 * when the work fails or the program is interrupted. A symbolic link stays: the file that it leads
 * to is replaced. Opening it early finds out, before anything is computed, whether it can be
 * written. What is no regular file (/dev/stdout, a pipe) is written directly.
 */
#ifndef IC_CLI_FILE_H
#define IC_CLI_FILE_H

#include "cli/command.h"
#include "core/expression.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_file {
    FILE *stream;

    /* where it goes in the end */
    char *path;

    /* the temporary file; NULL: written directly */
    char *part;

    /* number in the table of temporary files; 0: none */
    int slot;
} cli_file;

/** Open it. false: `error` says why it cannot be written. */
bool cli_file_open(cli_file *file, const char *path, ic_error *error);

/** Open the file that an option names, if it is given. false: the reason has been printed. */
bool cli_file_open_option(cli_file *file, const cli_arguments *arguments, size_t option);

/** It is whole: give it its name. false: it could not be written, and is gone. */
bool cli_file_commit(cli_file *file, ic_error *error);

/**
 * Where a path leads to when all links are followed, whether it exists or not. NULL, and errno:
 * memory ran out, or links form a ring. Release it with free.
 */
char *cli_file_target(const char *path);

/** strerror, but in the words of a user where a limit on file size was reached. */
const char *cli_file_why(int why);

/** Drop it; nothing is left behind. Does nothing to a file that is not open. */
void cli_file_discard(cli_file *file);

#endif
