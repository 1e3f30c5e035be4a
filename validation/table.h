/* SPDX-License-Identifier: MIT */
/**
 * Tables of reference data: text with one row a line, fields between semicolons.
 *
 * The first line that is not a comment names the columns. A field that contains a semicolon or a
 * quotation mark is quoted, and quotation marks inside are doubled. Blank lines and lines that
 * start with # are comments.
 */
#pragma once

#include "core/expression.h"
#include "reference/embedded.h"

/** A place in a file, counted from 1. */
typedef struct ic_line_column {
    size_t line, column;
} ic_line_column;

typedef struct ic_table {
    /* of the file, for messages; borrowed */
    const char *path;

    /* all fields, each with a 0 at its end */
    char *text;

    const char **fields;

    /* where the text of each field starts */
    ic_line_column *places;

    size_t n_rows, n_columns;
} ic_table;

/**
 * Read a table that must have these columns. false: `error` gives the reason, as file:line:column:
 * message.
 */
bool ic_table_open(ic_table *table, const char *path, const char *text, const char *const *columns,
                   size_t n_columns, ic_error *error);
void ic_table_close(ic_table *table);

const char *ic_table_field(const ic_table *table, size_t row, size_t column);
ic_line_column ic_table_place(const ic_table *table, size_t row, size_t column);

/** Set an error that starts with file:line:column. Returns false. */
__attribute__((format(printf, 4, 5))) bool ic_table_error(ic_error *error, const char *path,
                                                          ic_line_column place, const char *format, ...);

/** An embedded file by its path relative to reference/, or NULL. */
const ic_embedded *ic_embedded_find(const char *path);
