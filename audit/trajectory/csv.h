/* SPDX-License-Identifier: MIT */
/**
 * A table in a text file, row by row: names in the first line, then numbers. Fields are separated
 * by a comma, a semicolon or a tab, whichever is most frequent in the line of names, and may be
 * quoted, with quotes doubled. A UTF-8 mark at the start, CRLF, blank lines and lines that start
 * with # are skipped. Numbers have a decimal point, whatever the locale. Errors are reported as
 * file:line:column: with what would be right.
 */
#ifndef IC_AUDIT_TRAJECTORY_CSV_H
#define IC_AUDIT_TRAJECTORY_CSV_H

#include "core/expression.h"

#include <stdio.h>

typedef struct ic_csv {
    FILE *stream;

    /* for messages; borrowed */
    const char *path;

    /* the line as it is taken apart */
    char *text;

    /* bytes for it */
    size_t room;

    /* the line of names, likewise */
    char *header;

    char separator;

    /* number of the line at hand, from 1 */
    size_t line;

    size_t n_columns;

    /* into `header` */
    const char **names;

    /* into `text` */
    const char **fields;

    /* of the fields in their line, in bytes from 1 */
    size_t *places;
} ic_csv;

typedef enum ic_csv_row { IC_CSV_ROW, IC_CSV_END, IC_CSV_WRONG } ic_csv_row;

/**
 * Read the line of names. false: `error` says what is wrong. Close it in either case; the stream
 * stays the caller's.
 */
bool ic_csv_open(ic_csv *csv, FILE *stream, const char *path, ic_error *error);
void ic_csv_close(ic_csv *csv);

/** The next row. */
ic_csv_row ic_csv_next(ic_csv *csv, ic_error *error);

/** Number of the column of this name; n_columns where there is none. */
size_t ic_csv_column(const ic_csv *csv, const char *name);

/** A field of the row at hand as a finite number. */
bool ic_csv_field_number(const ic_csv *csv, size_t column, double *value, ic_error *error);

/**
 * A number with a decimal point, read to its end: false where the text is none. nan and inf are
 * numbers here.
 */
bool ic_csv_parse_number(const char *text, double *value);

#endif
