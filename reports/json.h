/* SPDX-License-Identifier: MIT */
/**
 * The writer of all JSON. It writes at once, so that a long run needs no memory for its report.
 *
 * Members are named by `key`; in an array, and for the whole document, it is NULL. Numbers have as
 * many digits as they need to be read back as the same double; a value that is not finite was not
 * measured, and is null. Errors are the stream's own (ferror).
 */
#pragma once

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

/** A member of an object: IC_TEXT("unit", unit), IC_REAL("t", t), IC_WHOLE("events", n), IC_FLAG("good", good). */
typedef struct ic_json_member {
    const char *key;

    /* which of the values it has */
    enum { IC_MEMBER_TEXT, IC_MEMBER_REAL, IC_MEMBER_WHOLE, IC_MEMBER_FLAG } kind;

    const char *text;
    double real;
    long long whole;
} ic_json_member;
#define IC_TEXT(key_, text_) ((ic_json_member){.key = (key_), .kind = IC_MEMBER_TEXT, .text = (text_)})
#define IC_REAL(key_, real_) ((ic_json_member){.key = (key_), .kind = IC_MEMBER_REAL, .real = (real_)})
#define IC_WHOLE(key_, whole_)                                                                                 \
    ((ic_json_member){.key = (key_), .kind = IC_MEMBER_WHOLE, .whole = (long long)(whole_)})
#define IC_FLAG(key_, flag_) ((ic_json_member){.key = (key_), .kind = IC_MEMBER_FLAG, .whole = (flag_)})

/** Write members; or an object on a line, which consists of them. */
void ic_json_members(ic_json *json, const ic_json_member *members, size_t n);
void ic_json_row(ic_json *json, const char *key, const ic_json_member *members, size_t n);
#define IC_JSON_LIST(...)                                                                                      \
    (const ic_json_member[]){__VA_ARGS__},                                                                     \
        sizeof((const ic_json_member[]){__VA_ARGS__}) / sizeof(ic_json_member)
#define IC_JSON_MEMBERS(json, ...) ic_json_members(json, IC_JSON_LIST(__VA_ARGS__))
#define IC_JSON_ROW(json, key, ...) ic_json_row(json, key, IC_JSON_LIST(__VA_ARGS__))

/** A value in Jansson's representation, with everything that it contains. */
void ic_json_value(ic_json *json, const char *key, const json_t *value);

/** A number in Jansson's representation: null if it is not finite. */
json_t *ic_json_real(double value);
