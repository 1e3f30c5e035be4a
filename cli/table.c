/* SPDX-License-Identifier: MIT */
#include "cli/table.h"
#include "core/array.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 }; /* spaces between columns */

typedef struct table_column {
    char *title;
    cli_align align;
} table_column;

/* A row is n_columns cells. A line across has its text in the first cell and NULL in the second. */
struct cli_table {
    table_column *columns;
    size_t n_columns;
    char **cells;
    size_t count, capacity;
    bool failed;
};

/* Widths of a column; before and after are those on both sides of the decimal point. */
typedef struct width {
    int total, before, after;
} width;

static void free_table(cli_table *table)
{
    if (table == NULL) return;
    for (size_t i = 0; i < table->count; i++) free(table->cells[i]);
    for (size_t i = 0; i < table->n_columns; i++) free(table->columns[i].title);
    free(table->cells);
    free(table->columns);
    free(table);
}

cli_table *cli_table_new(const cli_column *columns, size_t n_columns)
{
    cli_table *table = calloc(1, sizeof *table);
    if (table == NULL) return NULL;
    table->columns = calloc(n_columns + 1, sizeof *table->columns); /* never 0 bytes */
    for (size_t i = 0; i < n_columns && table->columns != NULL; i++) {
        table->columns[i] =
            (table_column){strdup(columns[i].title != NULL ? columns[i].title : ""), columns[i].align};
        table->failed |= table->columns[i].title == NULL;
        table->n_columns++;
    }
    if (table->columns != NULL && !table->failed) return table;
    free_table(table);
    return NULL;
}

cli_table *cli_table_of(const char *titles)
{
    enum { MOST_COLUMNS = 16 };
    char copies[MOST_COLUMNS][32];
    cli_column columns[MOST_COLUMNS];
    size_t n = 0;
    for (const char *at = titles; at != NULL && n < MOST_COLUMNS; n++) {
        const char *end = strchr(at, '|');
        const size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
        const char last = (char)(length > 0 ? at[length - 1] : 0);
        const cli_align align = last == '>' ? CLI_RIGHT : last == '.' ? CLI_POINT : CLI_LEFT;
        snprintf(copies[n], sizeof copies[n], "%.*s", (int)length - (align != CLI_LEFT), at);
        columns[n] = (cli_column){copies[n], align};
        at = end != NULL ? end + 1 : NULL;
    }
    return cli_table_new(columns, n);
}

/* The table owns `text`. */
static void append_cell(cli_table *table, char *text)
{
    char **cells = ic_array_reserve(table->cells, &table->capacity, table->count, sizeof *cells);
    if (cells != NULL) table->cells = cells;
    table->failed |= cells == NULL;
    if (table->failed) free(text);
    else table->cells[table->count++] = text;
}

void cli_table_cell(cli_table *table, const char *text)
{
    if (table == NULL) return;
    const size_t size = CLI_SHOWN_GROWTH * strlen(text) + 1;
    char *shown = malloc(size);
    if (shown != NULL) cli_escape(shown, size, text);
    table->failed |= shown == NULL;
    append_cell(table, shown);
}

void cli_table_cells(cli_table *table, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) cli_table_cell(table, texts[i]);
}

void cli_table_painted(cli_table *table, cli_painted painted)
{
    if (table == NULL) return;
    char *copy = strdup(painted.text);
    table->failed |= copy == NULL;
    append_cell(table, copy);
}

void cli_table_line(cli_table *table, const char *text)
{
    cli_table_cell(table, text);
    if (table == NULL) return;
    for (size_t i = 1; i < table->n_columns && !table->failed; i++) {
        append_cell(table, NULL);
    }
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

static width column_width(const cli_table *table, size_t i, bool titles)
{
    const table_column *c = &table->columns[i];
    width w = {.total = titles ? cli_text_width(c->title) : 0};
    for (size_t row = 0; row < table->count / table->n_columns; row++) {
        if (is_line(table, row)) continue;
        const char *text = table->cells[row * table->n_columns + i];
        const int total = cli_text_width(text), before = c->align == CLI_POINT ? before_point(text) : 0;
        if (before > w.before) w.before = before;
        if (total - before > w.after) w.after = total - before;
    }
    if (w.before + w.after > w.total) w.total = w.before + w.after;
    return w;
}

/* Print one cell, and return the number of spaces to print before the next text. */
static int print_cell(const char *text, cli_align align, width w, int spaces)
{
    const int total = cli_text_width(text);
    int left = 0;
    if (align == CLI_RIGHT) left = w.total - total;
    if (align == CLI_POINT) left = w.total - w.after - before_point(text);
    if (total == 0) return spaces + w.total + GAP;
    printf("%*s%s", spaces + left, "", text);
    return w.total - left - total + GAP;
}

static void print_titles(const cli_table *table, int indent, const width *widths)
{
    int spaces = indent;
    fputs(cli_paint_on(stdout, CLI_BOLD), stdout);
    for (size_t i = 0; i < table->n_columns; i++) {
        const cli_align align = table->columns[i].align == CLI_LEFT ? CLI_LEFT : CLI_RIGHT;
        spaces = print_cell(table->columns[i].title, align, widths[i], spaces);
    }
    printf("%s\n", cli_paint_off(stdout));
}

static void print_row(const cli_table *table, int indent, const width *widths, size_t row)
{
    char *const *cells = table->cells + row * table->n_columns;
    int spaces = indent;
    if (is_line(table, row)) {
        printf("%*s%s\n", indent, "", cells[0]);
        return;
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        spaces = print_cell(cells[i], table->columns[i].align, widths[i], spaces);
    }
    putchar('\n');
}

static bool print_table(const cli_table *table, int indent, bool titles)
{
    if (table->failed) return false;
    width *widths = calloc(table->n_columns, sizeof *widths);
    if (widths == NULL) return false;
    for (size_t i = 0; i < table->n_columns; i++) widths[i] = column_width(table, i, titles);
    if (titles) print_titles(table, indent, widths);
    for (size_t row = 0; row < table->count / table->n_columns; row++) {
        print_row(table, indent, widths, row);
    }
    free(widths);
    return true;
}

bool cli_table_finish(cli_table *table, int indent, bool titles)
{
    const bool good = table != NULL && print_table(table, indent, titles);
    free_table(table);
    return good;
}

void cli_table_heading(const char *text)
{
    printf("\n%s\n", cli_paint(stdout, CLI_BOLD, text).text);
}
