/* SPDX-License-Identifier: MIT */
/**
 * The writer of all JSON. It writes at once, so that a long run needs no memory for its report.
 *
 * Members are named by `key`; in an array, and for the whole document, it is NULL. Numbers have as
 * many digits as they need to be read back as the same double; a value that is not finite was not
 * measured, and is null. Errors are the stream's own (ferror).
 */
#ifndef IC_REPORTS_JSON_H
#define IC_REPORTS_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { IC_JSON_DEPTH = 40 };

typedef struct ic_json {
    FILE *stream;
    int depth;

    /* The containers that are open. */
    char close[IC_JSON_DEPTH];

    /* True if the container is written on one line. */
    bool line[IC_JSON_DEPTH];

    /* True if the innermost container is still empty. */
    bool empty;
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
void ic_json_number_short(ic_json *json, const char *key, double value, int digits);
void ic_json_integer(ic_json *json, const char *key, long long value);
void ic_json_bool(ic_json *json, const char *key, bool value);
void ic_json_null(ic_json *json, const char *key);

/** Members that are texts, or numbers: IC_JSON_TEXTS(json, {"name", name}, {"unit", unit}). */
typedef struct ic_json_text_member {
    const char *key, *text;
} ic_json_text_member;
typedef struct ic_json_number_member {
    const char *key;
    double value;
} ic_json_number_member;
void ic_json_texts(ic_json *json, const ic_json_text_member *members, size_t n);
void ic_json_numbers(ic_json *json, const ic_json_number_member *members, size_t n);
#define IC_JSON_LIST(type, ...) (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)
#define IC_JSON_TEXTS(json, ...) ic_json_texts(json, IC_JSON_LIST(ic_json_text_member, __VA_ARGS__))
#define IC_JSON_NUMBERS(json, ...) ic_json_numbers(json, IC_JSON_LIST(ic_json_number_member, __VA_ARGS__))

/** A value in Jansson's representation, with everything that it contains. */
void ic_json_value(ic_json *json, const char *key, const json_t *value);

/** A number in Jansson's representation: null if it is not finite. */
json_t *ic_json_real(double value);

#endif
