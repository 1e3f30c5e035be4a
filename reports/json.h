/* SPDX-License-Identifier: MIT */
/**
 * JSON, written as it comes: nothing is kept, so that a long run needs no memory for its report.
 *
 * Members are named by `key`; in an array, and for the whole document, it is NULL. What is not a finite number
 * is written as null: not measured. Errors are the stream's own (ferror).
 */
#ifndef IC_REPORTS_JSON_H
#define IC_REPORTS_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { IC_JSON_DEPTH = 16 };

typedef struct ic_json {
    FILE *stream;
    int depth;
    char close[IC_JSON_DEPTH]; /* of the containers that are open */
    bool line[IC_JSON_DEPTH];  /* written on one line */
    bool empty;                /* nothing yet in the innermost container */
} ic_json;

ic_json ic_json_to(FILE *stream);

/** Open an object or an array; ..._line: one that is written on a single line. */
void ic_json_object(ic_json *json, const char *key);
void ic_json_object_line(ic_json *json, const char *key);
void ic_json_array(ic_json *json, const char *key);
void ic_json_array_line(ic_json *json, const char *key);

/** Close the innermost container; after the last one the document is ended by a newline. */
void ic_json_end(ic_json *json);

void ic_json_text(ic_json *json, const char *key, const char *text); /* NULL: null */
void ic_json_number(ic_json *json, const char *key, double value);
void ic_json_integer(ic_json *json, const char *key, long long value);
void ic_json_bool(ic_json *json, const char *key, bool value);
void ic_json_null(ic_json *json, const char *key);

#endif
