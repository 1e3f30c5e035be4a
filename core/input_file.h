/* SPDX-License-Identifier: MIT */
/** A file that somebody hands over, opened to be read. */
#ifndef IC_CORE_INPUT_FILE_H
#define IC_CORE_INPUT_FILE_H

#include "core/expression.h"

#include <stdio.h>

/**
 * NULL: `error` says why it cannot be read, and what would be right. A folder is none, and a named pipe, which would be waited
 * for without an end, neither; what a shell's <(COMMAND) names is one.
 */
FILE *ic_input_file_open(const char *path, ic_error *error);

#endif
