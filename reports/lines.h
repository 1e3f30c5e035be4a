/* SPDX-License-Identifier: MIT */
/** Lines of a text that is compiled in, and fields in a line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { IC_LINE_SIZE = 1024, IC_LINE_FIELDS = 10 };

/** Text of a file in reports/text by its name there; NULL if it does not exist. */
const char *ic_report_embedded(const char *name);

/**
 * Read the next line into `line`, which is cut to its size. Comments (#) and empty lines are
 * skipped. false: there is no further line.
 */
bool ic_next_line(const char **at, char line[IC_LINE_SIZE]);

/**
 * Divide a line at each `|` and remove blanks at the ends of fields. Missing fields are "". Returns
 * the number of fields.
 */
size_t ic_line_fields(char *line, const char *fields[IC_LINE_FIELDS]);

/** A path as a word of a shell, in quotes if it needs them. */
void ic_shell_word(char *quoted, size_t size, const char *path);
