/* SPDX-License-Identifier: MIT */
/**
 * An output file that is either complete or does not exist.
 *
 * It is written to a temporary file in the same folder. That file is renamed when it is complete,
 * and removed if the work fails or the program is interrupted. A symbolic link remains: its target
 * is replaced. To open the file early shows, before anything is computed, whether it can be
 * written. Special files (/dev/stdout, a pipe) are written directly.
 */
#pragma once

#include "cli/command.h"
#include "core/expression.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_file {
    FILE *stream;

    /* Path of the final file. */
    char *path;

    /* Path of the temporary file; NULL: the file is written directly. */
    char *part;

    /* Number in the table of temporary files; 0: none. */
    int slot;
} cli_file;

/** Whether a path ends so, behind a name. */
bool cli_ends_with(const char *path, const char *ending);

/** Open the file. false: `error` gives the reason. */
bool cli_file_open(cli_file *file, const char *path, ic_error *error);

/** Open the file that an option names, if it is given. false: the reason has been printed. */
bool cli_file_open_option(cli_file *file, const cli_arguments *arguments, size_t option);

/** The file is complete: give it its name. false: it could not be written, and has been removed. */
bool cli_file_commit(cli_file *file, ic_error *error);

/**
 * The same where a file is open; otherwise true. The reason of a failure has been printed after `place`, NULL: nothing.
 */
bool cli_file_finish(cli_file *file, const cli_arguments *arguments, const char *place);

/**
 * Target of a path after all links have been followed; it need not exist. NULL, and errno: memory
 * ran out, or links form a cycle. Release it with free.
 */
char *cli_file_target(const char *path);

/**
 * Text of an error of a file: as strerror, but with a message of our own if a limit on file size
 * was reached.
 */
const char *cli_file_why(int why);

/** Sets the message that a file cannot be written. Returns false. */
bool cli_cannot_write(ic_error *error, const char *path, const char *why);

/** Remove the file if it is open. Nothing is left behind. */
void cli_file_discard(cli_file *file);
