/* SPDX-License-Identifier: MIT */
/**
 * A table of results, read from CSV: a line of names, then rows. Cells are converted to numbers
 * on request.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ic_columns {
    /* of the file; fields end with 0 */
    char *text;

    /* n_columns */
    const char **names;

    /* n_rows * n_columns, row by row */
    const char **cells;

    size_t n_columns, n_rows;
} ic_columns;

/**
 * Fields are separated by commas; quoted ones may hold them. Rows that are too short end in empty
 * fields. false: memory ran out, or names are missing.
 */
bool ic_columns_read(ic_columns *columns, FILE *stream);
void ic_columns_free(ic_columns *columns);

/** Index of a column, or -1. */
int ic_columns_find(const ic_columns *columns, const char *name);

/** Text of a cell, "" where it is empty. */
const char *ic_columns_text(const ic_columns *columns, size_t row, int column);

/** Number in a cell; NAN if the cell does not contain a number. */
double ic_columns_number(const ic_columns *columns, size_t row, int column);
