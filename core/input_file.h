/* SPDX-License-Identifier: MIT */
/** Opens input files that the user names. */
#pragma once

#include "core/expression.h"

#include <stdio.h>

/**
 * Open a file for reading. NULL: `error` gives the reason, and a correct alternative. Folders and
 * named pipes (which could block forever) are refused; the pipe of a shell's <(COMMAND) is
 * accepted.
 */
FILE *ic_input_file_open(const char *path, ic_error *error);
