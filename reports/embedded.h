/* SPDX-License-Identifier: MIT */
/**
 * The files of reports/text, which tools/embed.cmake compiles in: equations, figures, commands that
 * make the results, style and script.
 */
#pragma once

#include <stddef.h>

typedef struct ic_report_text_file {
    /* relative to reports/: "text/roller.txt" */
    const char *path;

    /* ends with a 0 that is not counted */
    const char *text;

    /* bytes */
    size_t length;
} ic_report_text_file;

/** Sorted by path. */
extern const ic_report_text_file ic_report_texts[];
extern const size_t ic_report_text_count;
