/* SPDX-License-Identifier: MIT */
/** Lines of a text that is compiled in, and fields in a line. */
#ifndef IC_REPORTS_LINES_H
#define IC_REPORTS_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { IC_LINE_SIZE = 1024, IC_LINE_FIELDS = 10 };

/** Text of a file of reports/text by its name there, NULL where there is none. */
const char *ic_report_embedded(const char *name);

/**
 * The next line, into `line`, which is cut to its size; comments (#) and empty lines are passed
 * over. false: there is none.
 */
bool ic_next_line(const char **at, char line[IC_LINE_SIZE]);

/**
 * Cut a line at its `|`, blanks at the ends of fields removed. All fields beyond the last are "".
 * Returns how many there are.
 */
size_t ic_line_fields(char *line, const char *fields[IC_LINE_FIELDS]);

#endif
