/* SPDX-License-Identifier: MIT */
/** Opening of an input file given by the user. */
#ifndef IC_CORE_INPUT_FILE_H
#define IC_CORE_INPUT_FILE_H

#include "core/expression.h"

#include <stdio.h>

/**
 * Open a file for reading. NULL: `error` says why this is impossible, and what would be right.
 * Folders and named pipes (which could block forever) are refused; the pipe of a shell's <(COMMAND)
 * is accepted.
 */
FILE *ic_input_file_open(const char *path, ic_error *error);

#endif
