/* SPDX-License-Identifier: MIT */
/** The table of the columns of verify's results: reports/result_columns.def. */
#pragma once

#include <jansson.h>

typedef enum ic_column_type { IC_COLUMN_TEXT, IC_COLUMN_NUMBER, IC_COLUMN_VERDICT } ic_column_type;

/** The rows of JSON that have a column. */
typedef enum ic_column_presence {
    IC_ALWAYS,

    /* All rows; the text is never empty. */
    IC_NEVER_EMPTY,

    /* Rows in which it is set. */
    IC_IF_SET,

    /* Rows with a place in a paper. */
    IC_WITH_PLACE,

    /* All rows, with --times. */
    IC_WITH_TIMES,
} ic_column_presence;

/** Places where readers see a column, as a sum of these. */
enum {
    IC_NOWHERE = 0,

    /* tables of all rows: verify -v and Markdown */
    IC_IN_ROWS = 1,

    /* tables of web pages */
    IC_IN_PAGES = 2,

    /* Markdown's tables of rows that fail or are skipped, and of errata */
    IC_IN_FAILURES = 4,

    /* Descriptions in JUnit XML and TAP. */
    IC_IN_TESTS = 8,

    IC_IN_TABLES = IC_IN_ROWS | IC_IN_PAGES | IC_IN_FAILURES,
    IC_EVERYWHERE = IC_IN_TABLES | IC_IN_TESTS,
};

typedef struct ic_result_column {
    /* of the member in JSON and in ic_result */
    const char *name;

    ic_column_type type;
    ic_column_presence presence;

    /* sum of places */
    unsigned places;

    /* of a number; "": the row has it */
    const char *unit;

    /* at the head of tables */
    const char *title;

    /* in the schema */
    const char *meaning;
} ic_result_column;

/** Indices of the columns: IC_RESULT_check, IC_RESULT_subject, ... */
enum {
#define IC_RESULT_TEXT(name_, ...) IC_RESULT_##name_,
#define IC_RESULT_NUMBER IC_RESULT_TEXT
#define IC_RESULT_VERDICT IC_RESULT_TEXT
#include "reports/result_columns.def"
    IC_RESULT_COLUMNS
};

extern const ic_result_column ic_result_columns[IC_RESULT_COLUMNS];

/** The column after number `i` that is shown in a place, -1: the first; IC_RESULT_COLUMNS: none. */
int ic_result_column_after(int i, unsigned place);

/** The schema of verify --json. NULL: memory ran out. */
json_t *ic_result_schema(void);
