/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 }; /* spaces between columns */

/* A row is n_columns cells. A line across has its text in the first cell and NULL in the second. */
struct cli_table {
    cli_column *columns;
    size_t n_columns;
    char **cells;
    size_t count, capacity;
    bool failed;
};

/* Widths of a column; before and after are those on both sides of the decimal point. */
typedef struct width {
    int total, before, after;
} width;

cli_table *cli_table_new(const cli_column *columns, size_t n_columns)
{
    cli_table *table = calloc(1, sizeof *table);
    if (table == NULL) return NULL;
    table->columns = calloc(n_columns, sizeof *columns);
    if (table->columns == NULL) {
        free(table);
        return NULL;
    }
    memcpy(table->columns, columns, n_columns * sizeof *columns);
    table->n_columns = n_columns;
    return table;
}

void cli_table_free(cli_table *table)
{
    if (table == NULL) return;
    for (size_t i = 0; i < table->count; i++) free(table->cells[i]);
    free(table->cells);
    free(table->columns);
    free(table);
}

static void append(cli_table *table, char *text)
{
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
        char **cells = realloc(table->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            table->failed = true;
            free(text);
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->count++] = text;
}

/* Room for a cell; NULL: there is none. */
static char *new_cell(cli_table *table, size_t size)
{
    char *text = table->failed ? NULL : malloc(size);
    if (text == NULL) table->failed = true;
    return text;
}

void cli_table_cell(cli_table *table, const char *text)
{
    const size_t size = CLI_SHOWN_GROWTH * strlen(text) + 1;
    char *shown = new_cell(table, size);
    if (shown == NULL) return;
    cli_escape(shown, size, text);
    append(table, shown);
}

void cli_table_painted(cli_table *table, cli_painted painted)
{
    const size_t size = strlen(painted.text) + 1;
    char *copy = new_cell(table, size);
    if (copy == NULL) return;
    memcpy(copy, painted.text, size);
    append(table, copy);
}

void cli_table_line(cli_table *table, const char *text)
{
    cli_table_cell(table, text);
    for (size_t i = 1; i < table->n_columns && !table->failed; i++) append(table, NULL);
}

static bool is_line(const cli_table *table, size_t row)
{
    return table->n_columns > 1 && table->cells[row * table->n_columns + 1] == NULL;
}

/* Columns before the decimal point: up to the point, the exponent or the end. */
static int before_point(const char *text)
{
    const int digits = (int)strcspn(text, ".e");
    return text[digits] == '\0' ? cli_text_width(text) : digits;
}

static width column_width(const cli_table *table, size_t column, bool titles)
{
    const cli_column *c = &table->columns[column];
    width w = {.total = titles ? cli_text_width(c->title) : 0};
    for (size_t row = 0; row < table->count / table->n_columns; row++) {
        if (is_line(table, row)) continue;
        const char *text = table->cells[row * table->n_columns + column];
        const int total = cli_text_width(text), before = c->align == CLI_POINT ? before_point(text) : 0;
        if (before > w.before) w.before = before;
        if (total - before > w.after) w.after = total - before;
    }
    if (w.before + w.after > w.total) w.total = w.before + w.after;
    return w;
}

/* Print one cell and return how many spaces are still to follow, once something else does. */
static int print_cell(FILE *stream, const char *text, cli_align align, width w, int spaces)
{
    const int total = cli_text_width(text);
    int left = 0;
    if (align == CLI_RIGHT) left = w.total - total;
    if (align == CLI_POINT) left = w.total - w.after - before_point(text);
    if (total == 0) return spaces + w.total + GAP;
    fprintf(stream, "%*s%s", spaces + left, "", text);
    return w.total - left - total + GAP;
}

static void print_titles(const cli_table *table, FILE *stream, int indent, const width *widths)
{
    int spaces = indent;
    fputs(cli_paint_on(stream, CLI_BOLD), stream);
    for (size_t i = 0; i < table->n_columns; i++) {
        const cli_align align = table->columns[i].align == CLI_LEFT ? CLI_LEFT : CLI_RIGHT;
        spaces = print_cell(stream, table->columns[i].title, align, widths[i], spaces);
    }
    fprintf(stream, "%s\n", cli_paint_off(stream));
}

static void print_row(const cli_table *table, FILE *stream, int indent, const width *widths, size_t row)
{
    char *const *cells = table->cells + row * table->n_columns;
    int spaces = indent;
    if (is_line(table, row)) {
        fprintf(stream, "%*s%s\n", indent, "", cells[0]);
        return;
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        spaces = print_cell(stream, cells[i], table->columns[i].align, widths[i], spaces);
    }
    fputc('\n', stream);
}

bool cli_table_print(const cli_table *table, FILE *stream, int indent, bool titles)
{
    if (table->failed) return false;
    width *widths = calloc(table->n_columns, sizeof *widths);
    if (widths == NULL) return false;
    for (size_t i = 0; i < table->n_columns; i++) widths[i] = column_width(table, i, titles);
    if (titles) print_titles(table, stream, indent, widths);
    for (size_t row = 0; row < table->count / table->n_columns; row++) {
        print_row(table, stream, indent, widths, row);
    }
    free(widths);
    return true;
}

bool cli_table_finish(cli_table *table, int indent, bool titles)
{
    const bool good = table != NULL && cli_table_print(table, stdout, indent, titles);
    cli_table_free(table);
    return good;
}

void cli_table_heading(const char *text)
{
    printf("\n%s\n", cli_paint(stdout, CLI_BOLD, text).text);
}
