/* SPDX-License-Identifier: MIT */
/**
 * A table in a text file, row by row: names in the first line, then numbers; without a line of
 * names the columns are called 1, 2, ... Fields are separated by a comma, a semicolon or a tab,
 * whichever is most frequent in the first line, or by blanks if it has none of them. They may be
 * quoted, with quotes doubled. A UTF-8 mark at the start, CRLF, blank lines and lines that start
 * with # are skipped. Numbers have a decimal point, whatever the locale. Errors are reported as
 * file:line:column: with a correct alternative.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_CSV_H
#define IC_AUDIT_TRAJECTORY_INPUT_CSV_H

#include "core/expression.h"

#include <stdio.h>

typedef struct ic_csv {
    FILE *stream;

    /* Path for messages; borrowed. */
    const char *path;

    /* The current line, split into fields. */
    char *text;

    /* Size of this buffer, bytes. */
    size_t room;

    /* The line of names, split into fields. */
    char *header;

    /* ' ': one or more blanks */
    char separator;

    /* The first line has numbers, which are the next row. */
    bool headerless;

    /* The current line is the next row. */
    bool pending;

    /* Number of the current line, starting at 1. */
    size_t line;

    size_t n_columns;

    /* Names of columns, which point into `header`. */
    const char **names;

    /* Fields, which point into `text`. */
    const char **fields;

    /* Places of the fields in their line, in bytes, starting at 1. */
    size_t *places;
} ic_csv;

typedef enum ic_csv_row { IC_CSV_ROW, IC_CSV_END, IC_CSV_WRONG } ic_csv_row;

/**
 * Read the line of names. false: `error` states the reason. Close the table in either case; the
 * stream remains open.
 */
bool ic_csv_open(ic_csv *csv, FILE *stream, const char *path, ic_error *error);
void ic_csv_close(ic_csv *csv);

/**
 * Whether the columns can be told: by names, or by `columns`, the list of the option --columns. false: `error`
 * says what to do.
 */
bool ic_csv_has_names(const ic_csv *csv, const char *columns, ic_error *error);

/** Read the next row. */
ic_csv_row ic_csv_next(ic_csv *csv, ic_error *error);

/** Number of the column of this name; n_columns if it does not exist. */
size_t ic_csv_column(const ic_csv *csv, const char *name);

/** Read a field of the current row as a finite number. */
bool ic_csv_field_number(const ic_csv *csv, size_t column, double *value, ic_error *error);

/**
 * Read a number with a decimal point. false: the whole text is not a number. nan and inf are
 * numbers here.
 */
bool ic_csv_parse_number(const char *text, double *value);

#endif
