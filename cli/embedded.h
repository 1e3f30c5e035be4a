/* SPDX-License-Identifier: MIT */
/** Examples that `impactcheck init` writes, which tools/embed.cmake compiles in. */
#ifndef IC_CLI_EMBEDDED_H
#define IC_CLI_EMBEDDED_H

#include <stddef.h>

typedef struct cli_example {
    /* relative to cli/: "../examples/machines/stops.yaml" */
    const char *path;

    /* ends with a 0 that is not counted */
    const char *text;

    /* bytes */
    size_t length;
} cli_example;

/** Sorted by path. */
extern const cli_example cli_examples[];
extern const size_t cli_example_count;

#endif
