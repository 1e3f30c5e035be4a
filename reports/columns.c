/* SPDX-License-Identifier: MIT */
#include "reports/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 };

static char *read_stream(FILE *stream)
{
    size_t length = 0, capacity = PIECE;
    char *text = malloc(capacity + 1);
    while (text != NULL) {
        length += fread(text + length, 1, capacity - length, stream);
        if (length < capacity) break;
        capacity *= 2;
        char *longer = realloc(text, capacity + 1);
        if (longer == NULL) free(text);
        text = longer;
    }
    if (text != NULL) text[length] = '\0';
    return text;
}

/* Cut one field off, in place: its text, and the character that ended it (',', '\n' or 0). */
static const char *cut_field(char **at, char *end)
{
    char *from = *at, *to = *at;
    const char *field = from;
    const bool quoted = *from == '"';
    if (quoted) from++;
    for (; *from != '\0'; from++) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                from++;
                break;
            }
            from++;
        } else if (!quoted && (*from == ',' || *from == '\n' || *from == '\r')) {
            break;
        }
        *to++ = *from;
    }
    if (*from == '\r') from++;
    *end = *from;
    *at = *from == '\0' ? from : from + 1;
    *to = '\0';
    return field;
}

static size_t count_of(const char *text, char c)
{
    size_t n = 0;
    for (; *text != '\0'; text++) n += *text == c;
    return n;
}

static void cut_row(ic_columns *columns, char **at)
{
    char end = ',';
    const char **cells = columns->cells + columns->n_rows++ * columns->n_columns;
    for (size_t i = 0; end == ','; i++) {
        const char *field = cut_field(at, &end);
        if (i < columns->n_columns) cells[i] = field;
    }
}

bool ic_columns_read(ic_columns *columns, FILE *stream)
{
    *columns = (ic_columns){.text = read_stream(stream)};
    char *at = columns->text;
    if (at == NULL || *at == '\0') {
        ic_columns_free(columns);
        return false;
    }
    const size_t lines = count_of(at, '\n') + 1, in_names = strcspn(at, "\n");
    columns->names = calloc(in_names + 1, sizeof *columns->names);
    for (char end = ','; columns->names != NULL && end == ',';)
        columns->names[columns->n_columns++] = cut_field(&at, &end);
    columns->cells = calloc(lines * columns->n_columns + 1, sizeof *columns->cells);
    if (columns->names == NULL || columns->cells == NULL) {
        ic_columns_free(columns);
        return false;
    }
    while (*at != '\0') cut_row(columns, &at);
    return true;
}

void ic_columns_free(ic_columns *columns)
{
    free(columns->text);
    free(columns->names);
    free(columns->cells);
    *columns = (ic_columns){0};
}

int ic_columns_find(const ic_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->n_columns; i++) {
        if (strcmp(columns->names[i], name) == 0) return (int)i;
    }
    return -1;
}

const char *ic_columns_text(const ic_columns *columns, size_t row, int column)
{
    if (column < 0) return "";
    const char *text = columns->cells[row * columns->n_columns + (size_t)column];
    return text != NULL ? text : "";
}

double ic_columns_number(const ic_columns *columns, size_t row, int column)
{
    const char *text = ic_columns_text(columns, row, column);
    char *end;
    const double value = strtod(text, &end);
    return end != text && *end == '\0' ? value : NAN;
}
