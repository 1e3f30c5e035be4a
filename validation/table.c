/* SPDX-License-Identifier: MIT */
#include "validation/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

/* Reads from `at`, writes fields to `out`, which never overtakes it. */
typedef struct table_reader {
    const char *path;
    const char *at;
    ic_line_column place;
    char *out;

    /* of the table's fields */
    size_t capacity;

    ic_error *error;
} table_reader;

bool ic_table_error(ic_error *error, const char *path, ic_line_column place, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ic_error_set(error, "%s:%zu:%zu: %s", path, place.line, place.column, message);
    return false;
}

static void advance_reader(table_reader *r)
{
    r->place.column++;
    if (*r->at++ == '\n') r->place = (ic_line_column){r->place.line + 1, 1};
}

static bool ends_field(char c)
{
    return c == ';' || c == '\n' || c == '\0';
}

static bool read_quoted(table_reader *r)
{
    const ic_line_column start = r->place;
    advance_reader(r);
    for (;;) {
        if (*r->at == '\0' || *r->at == '\n') {
            return ic_table_error(r->error, r->path, start, "this quotation mark is not closed on its line");
        }
        if (*r->at == '"') {
            advance_reader(r);
            if (*r->at != '"') break;
        }
        *r->out++ = *r->at;
        advance_reader(r);
    }
    if (ends_field(*r->at)) return true;
    return ic_table_error(r->error, r->path, r->place,
                          "expected ';' or the end of the line after a quoted field");
}

static bool read_plain(table_reader *r)
{
    for (; !ends_field(*r->at); advance_reader(r)) {
        if (*r->at == '"') {
            return ic_table_error(r->error, r->path, r->place,
                                  "a field with a quotation mark in it must be quoted");
        }
        if (*r->at == '\r') return ic_table_error(r->error, r->path, r->place, "lines must end with LF alone");
        *r->out++ = *r->at;
    }
    return true;
}

/* Fields of one line; the line's end is left unread. */
static bool read_line(table_reader *r, const char **fields, ic_line_column *places, size_t *count)
{
    *count = 0;
    for (;;) {
        if (*count == MOST_COLUMNS) return ic_table_error(r->error, r->path, r->place, "too many fields");
        const bool quoted = *r->at == '"';
        places[*count] = (ic_line_column){r->place.line, r->place.column + quoted};
        fields[(*count)++] = r->out;
        if (!(quoted ? read_quoted(r) : read_plain(r))) return false;
        const bool more = *r->at == ';';
        if (more) advance_reader(r);
        *r->out++ = '\0';
        if (!more) return true;
    }
}

static void skip_comments(table_reader *r)
{
    while (*r->at == '\n' || *r->at == '#') {
        while (*r->at != '\n' && *r->at != '\0') advance_reader(r);
        if (*r->at == '\n') advance_reader(r);
    }
}

static bool read_header(table_reader *r, const char *const *columns, size_t n_columns)
{
    const char *fields[MOST_COLUMNS];
    ic_line_column places[MOST_COLUMNS];
    size_t count = 0;
    skip_comments(r);
    if (!read_line(r, fields, places, &count)) return false;
    for (size_t i = 0; i < n_columns; i++) {
        if (i >= count)
            return ic_table_error(r->error, r->path, r->place, "column '%s' is missing", columns[i]);
        if (strcmp(fields[i], columns[i]) != 0) {
            return ic_table_error(r->error, r->path, places[i], "expected column '%s', not '%s'", columns[i],
                                  fields[i]);
        }
    }
    if (count == n_columns) return true;
    return ic_table_error(r->error, r->path, places[n_columns], "unknown column '%s'", fields[n_columns]);
}

static bool add_row(ic_table *table, table_reader *r, const char **fields, const ic_line_column *places)
{
    const size_t used = table->n_rows * table->n_columns;
    if (used + table->n_columns > r->capacity) {
        const size_t capacity = 2 * (used + table->n_columns);
        const char **more_fields = realloc(table->fields, capacity * sizeof *more_fields);
        if (more_fields != NULL) table->fields = more_fields;
        ic_line_column *more_places = realloc(table->places, capacity * sizeof *more_places);
        if (more_places != NULL) table->places = more_places;
        if (more_fields == NULL || more_places == NULL) {
            ic_error_set(r->error, "memory ran out");
            return false;
        }
        r->capacity = capacity;
    }
    memcpy(table->fields + used, fields, table->n_columns * sizeof *fields);
    memcpy(table->places + used, places, table->n_columns * sizeof *places);
    table->n_rows++;
    return true;
}

static bool read_rows(ic_table *table, table_reader *r)
{
    const char *fields[MOST_COLUMNS];
    ic_line_column places[MOST_COLUMNS];
    for (skip_comments(r); *r->at != '\0'; skip_comments(r)) {
        size_t count = 0;
        if (!read_line(r, fields, places, &count)) return false;
        if (count < table->n_columns) {
            return ic_table_error(r->error, r->path, r->place, "found %zu fields; expected %zu", count,
                                  table->n_columns);
        }
        if (count > table->n_columns) {
            return ic_table_error(
                r->error, r->path, places[table->n_columns],
                "found %zu fields, expected %zu; a field with a semicolon in it must be quoted", count,
                table->n_columns);
        }
        if (!add_row(table, r, fields, places)) return false;
    }
    return true;
}

bool ic_table_open(ic_table *table, const char *path, const char *text, const char *const *columns,
                   size_t n_columns, ic_error *error)
{
    *table = (ic_table){.path = path, .n_columns = n_columns, .text = malloc(strlen(text) + 2)};
    table_reader r = {.path = path, .at = text, .place = {1, 1}, .out = table->text, .error = error};
    if (table->text == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    if (read_header(&r, columns, n_columns) && read_rows(table, &r)) return true;
    ic_table_close(table);
    return false;
}

void ic_table_close(ic_table *table)
{
    free(table->text);
    free(table->fields);
    free(table->places);
    *table = (ic_table){0};
}

const char *ic_table_field(const ic_table *table, size_t row, size_t column)
{
    return table->fields[row * table->n_columns + column];
}

ic_line_column ic_table_place(const ic_table *table, size_t row, size_t column)
{
    return table->places[row * table->n_columns + column];
}

const ic_embedded *ic_embedded_find(const char *path)
{
    for (size_t i = 0; i < ic_embedded_count; i++) {
        if (strcmp(ic_embedded_files[i].path, path) == 0) return &ic_embedded_files[i];
    }
    return NULL;
}
