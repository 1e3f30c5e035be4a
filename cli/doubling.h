/* SPDX-License-Identifier: MIT */
/** impactcheck certify --doubling: a period doubling in an interval of a parameter. */
#pragma once

#include "cli/certified.h"

/** The options that say what is asked for. */
typedef struct cli_doubling_options {
    /* numbers of --doubling, --set and --variant */
    size_t doubling, set, variant;
} cli_doubling_options;

/** Prove it and show it. Returns the exit status. */
int cli_doubling(const cli_arguments *arguments, const cli_doubling_options *options,
                 const cli_certified_format *format);
