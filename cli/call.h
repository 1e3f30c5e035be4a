/* SPDX-License-Identifier: MIT */
/** A command of this program, called in a process of its own, so that its end does not end this one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_call {
    /* n words: the command's name and its arguments */
    const char *const *words;
    size_t n;

    /* files of its standard output and its messages; NULL: nowhere */
    const char *output, *messages;

    /* the folder in which it runs; NULL: the present one. The files above are opened before. */
    const char *folder;
} cli_call;

/** Call it. Returns its exit status; CLI_FAILURE also if it did not start, or a signal has ended it. */
int cli_call_run(const cli_call *call);
