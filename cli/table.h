/* SPDX-License-Identifier: MIT */
/**
 * A table for people: filled cell by cell, then printed with columns as wide as they need to be.
 */
#ifndef IC_CLI_TABLE_H
#define IC_CLI_TABLE_H

#include "cli/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum cli_align {
    CLI_LEFT,
    CLI_RIGHT,

    /* numbers, their decimal points below each other */
    CLI_POINT,
} cli_align;

typedef struct cli_column {
    /* borrowed */
    const char *title;

    cli_align align;
} cli_column;

typedef struct cli_table cli_table;

/** A new table, or NULL. Columns are copied. Release it with cli_table_free. */
cli_table *cli_table_new(const cli_column *columns, size_t n_columns);
void cli_table_free(cli_table *table);

/** Add the next cell, row by row: its text as cli_escape shows it, or one in a colour, as it is. */
void cli_table_cell(cli_table *table, const char *text);
void cli_table_painted(cli_table *table, cli_painted painted);

/** Add a line of text across all columns; the row before it must be complete. */
void cli_table_line(cli_table *table, const char *text);

/**
 * Print it, each line after `indent` spaces, with or without titles. false: memory ran out while it
 * was filled.
 */
bool cli_table_print(const cli_table *table, FILE *stream, int indent, bool titles);

/** Print a table on standard output and release it. false: memory ran out, as where it is NULL. */
bool cli_table_finish(cli_table *table, int indent, bool titles);

/** Print the heading of a table on standard output, below an empty line. */
void cli_table_heading(const char *text);

#endif
