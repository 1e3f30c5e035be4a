/* SPDX-License-Identifier: MIT */
/** A table: it is filled cell by cell, and then printed with columns of sufficient width. */
#pragma once

#include "cli/terminal.h"
#include "impactcheck/impactcheck.h"

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
    /* copied */
    const char *title;

    cli_align align;
} cli_column;

typedef struct cli_table cli_table;

/**
 * A new table, to be released by cli_table_finish; NULL: memory ran out. All functions below accept
 * NULL, and cli_table_finish then returns false.
 */
cli_table *cli_table_new(const cli_column *columns, size_t n_columns);

/**
 * The same by titles, aligned by their last sign: "#>" right, "t, s." at the point, "event"
 * left.
 */
cli_table *cli_table_of(const char *titles);

/**
 * Add the next cell, row by row: a text, which cli_escape makes safe, or a coloured text, which is
 * printed unchanged.
 */
void cli_table_cell(cli_table *table, const char *text);

/** Add n cells. */
void cli_table_cells(cli_table *table, const char *const *texts, size_t n);
#define CLI_ROW(table, ...)                                                                                    \
    cli_table_cells(table, (const char *const[]){__VA_ARGS__}, IC_COUNT(((const char *const[]){__VA_ARGS__})))
void cli_table_painted(cli_table *table, cli_painted painted);

/** Add a line of text across all columns; the row before it must be complete. */
void cli_table_line(cli_table *table, const char *text);

/**
 * Print the table on standard output, each line after `indent` spaces, with or without titles, and
 * release it. false: memory ran out while it was filled.
 */
bool cli_table_finish(cli_table *table, int indent, bool titles);

/** Print the heading of a table on standard output, below an empty line. */
void cli_table_heading(const char *text);
