/* SPDX-License-Identifier: MIT */
/*
 * Markdown as job pages and merge requests show it: important rows come first, the rest is folded. A page
 * of GitHub holds at most one mebibyte, so that the number of rows is limited and failures come
 * first.
 */
#include "reports/reports.h"
#include "reports/result_columns.h"

#include <string.h>

/* A row has some 300 bytes: half a mebibyte for all rows, and at most a third of that for the rows
   with one verdict. */
enum { MOST_ROWS = 1700, MOST_OF_A_VERDICT = 500 };

/* A cell of a table: bars and line breaks would end it, and * and _ change the type. */
static void write_cell(FILE *stream, const char *text)
{
    fputs("| ", stream);
    for (; *text != '\0'; text++) {
        if (strchr("|*_<\\`", *text) != NULL) fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
    fputc(' ', stream);
}

static bool has_verdict(const json_t *row, const char *verdict)
{
    if (strcmp(verdict, "fail") == 0) return ic_report_failed(row);
    return strcmp(ic_report_text(row, "verdict"), verdict) == 0;
}

static long long summary_of(const json_t *results, const char *verdict)
{
    return json_integer_value(json_object_get(json_object_get(results, "summary"), verdict));
}

/* ---- the summary by case and solver */

static bool is_first_of_its_solver(const json_t *rows, size_t i)
{
    const char *solver = ic_report_text(json_array_get(rows, i), "solver");
    for (size_t j = 0; j < i; j++) {
        if (strcmp(ic_report_text(json_array_get(rows, j), "solver"), solver) == 0) return false;
    }
    return true;
}

static void write_tally(FILE *stream, const ic_report_counts *counts)
{
    if (counts->all == 0) fputs("| ", stream);
    else if (counts->failed > 0) fprintf(stream, "| **%zu of %zu failed** ", counts->failed, counts->all);
    else if (counts->skipped == counts->all) fprintf(stream, "| %zu skipped ", counts->skipped);
    else fprintf(stream, "| %zu ", counts->all - counts->skipped);
}

static void write_summary(const json_t *rows, FILE *stream)
{
    const size_t n = json_array_size(rows);
    fputs("\n| what passes ", stream);
    for (size_t i = 0; i < n; i++) {
        const char *solver = ic_report_text(json_array_get(rows, i), "solver");
        if (is_first_of_its_solver(rows, i)) write_cell(stream, solver[0] == '\0' ? "in all" : solver);
    }
    fputs("|\n|---", stream);
    for (size_t i = 0; i < n; i++) {
        if (is_first_of_its_solver(rows, i)) fputs("|---", stream);
    }
    fputs("|\n", stream);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, i);
        char name[128];
        if (!ic_report_begins_case(rows, i)) continue;
        snprintf(name, sizeof name, "%.*s", ic_report_case_length(row), ic_report_text(row, "subject"));
        write_cell(stream, name);
        for (size_t j = 0; j < n; j++) {
            if (!is_first_of_its_solver(rows, j)) continue;
            const ic_report_counts counts =
                ic_report_count(rows, row, ic_report_text(json_array_get(rows, j), "solver"));
            write_tally(stream, &counts);
        }
        fputs("|\n", stream);
    }
}

/* ---- rows */

static void write_left_out(FILE *stream, size_t shown, size_t all)
{
    if (all > shown)
        fprintf(stream, "\nThe first %zu of %zu rows; --json and --junit contain all of them.\n", shown, all);
}

/* "law 'mine', impact at 1 m/s" */
static void subject_cell(FILE *stream, const json_t *row)
{
    const char *place = ic_report_text(row, "place");
    char text[256];
    snprintf(text, sizeof text, "%.120s%s%.120s", ic_report_text(row, "subject"), place[0] != '\0' ? ", " : "",
             place);
    write_cell(stream, text);
}

/* The head of a table: the columns of a place, after the verdict if `with_verdict`. */
static void write_head(FILE *stream, unsigned place, bool with_verdict)
{
    fputs(with_verdict ? "\n| verdict " : "\n", stream);
    for (int i = -1; (i = ic_result_column_after(i, place)) < IC_RESULT_COLUMNS;)
        fprintf(stream, "| %s ", ic_result_columns[i].title);
    fputs(with_verdict ? "|\n|---" : "|\n", stream);
    for (int i = -1; (i = ic_result_column_after(i, place)) < IC_RESULT_COLUMNS;) fputs("|---", stream);
    fputs("|\n", stream);
}

static void write_cells(FILE *stream, const json_t *row, unsigned place)
{
    for (int i = -1; (i = ic_result_column_after(i, place)) < IC_RESULT_COLUMNS;) {
        const ic_result_column *column = &ic_result_columns[i];
        if (i == IC_RESULT_subject) subject_cell(stream, row);
        else if (column->type == IC_COLUMN_NUMBER) write_cell(stream, ic_report_number(row, column->name).text);
        else write_cell(stream, ic_report_text(row, column->name));
    }
    fputs("|\n", stream);
}

/* Rows with a verdict, with their details. */
static void write_rows_with(const json_t *results, FILE *stream, const char *verdict)
{
    const json_t *rows = json_object_get(results, "rows");
    size_t shown = 0;
    write_head(stream, IC_IN_FAILURES, false);
    for (size_t i = 0; i < json_array_size(rows) && shown < MOST_OF_A_VERDICT; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!has_verdict(row, verdict)) continue;
        write_cells(stream, row, IC_IN_FAILURES);
        shown++;
    }
    write_left_out(stream, shown, (size_t)summary_of(results, verdict));
}

static void write_all_rows(const json_t *results, FILE *stream)
{
    const json_t *rows = json_object_get(results, "rows");
    const size_t n = json_array_size(rows);
    write_head(stream, IC_IN_ROWS, true);
    for (size_t i = 0; i < n && i < MOST_ROWS; i++) {
        const json_t *row = json_array_get(rows, i);
        write_cell(stream, ic_report_text(row, "verdict"));
        write_cells(stream, row, IC_IN_ROWS);
    }
    write_left_out(stream, MOST_ROWS, n);
}

/* A part that is folded until the reader opens it. */
static void write_folded(const json_t *results, FILE *stream, const char *title, const char *verdict)
{
    if (verdict != NULL && summary_of(results, verdict) == 0) return;
    fprintf(stream, "\n<details>\n<summary>%s</summary>\n", title);
    if (verdict != NULL) write_rows_with(results, stream, verdict);
    else write_all_rows(results, stream);
    fputs("\n</details>\n", stream);
}

/* Number of rows of each kind about papers, if there are any. */
static void write_kinds(const json_t *results, FILE *stream)
{
    const char *kind, *verdict, *comma = "\nRows about papers: ";
    json_t *counts, *count;
    json_object_foreach(json_object_get(results, "kinds"), kind, counts)
    {
        json_int_t n = 0;
        json_object_foreach(counts, verdict, count) n += json_integer_value(count);
        fprintf(stream, "%s%lld %s", comma, (long long)n, kind);
        comma = ", ";
    }
    if (json_object_size(json_object_get(results, "kinds")) > 0) fputs(".\n", stream);
}

/* An audit has a verdict of its own, which may be undecided. */
static const char *headline_of(const json_t *results, long long failed)
{
    if (strcmp(ic_report_text(results, "verdict"), "undecided") == 0) return "Undecided:";
    return failed == 0 ? "All good:" : "Failed:";
}

bool ic_report_markdown(const json_t *results, FILE *stream)
{
    const long long failed = summary_of(results, "fail"), errata = summary_of(results, "erratum");
    fputs("# ", stream);
    for (const char *c = ic_report_text(results, "title"); *c != '\0'; c++) {
        if (strchr("*_<\\`", *c) != NULL) fputc('\\', stream);
        fputc(*c == '\n' ? ' ' : *c, stream);
    }
    fprintf(stream, "\n\n**%s** %lld passed, %lld failed, %lld %s, %lld skipped.\n",
            headline_of(results, failed), summary_of(results, "pass"), failed, errata,
            errata == 1 ? "erratum" : "errata", summary_of(results, "skipped"));
    write_kinds(results, stream);
    write_summary(json_object_get(results, "rows"), stream);
    if (failed > 0) {
        fputs("\n## Failed\n", stream);
        write_rows_with(results, stream, "fail");
    }
    write_folded(results, stream, "Errata: statements that do not hold as printed or as scanned", "erratum");
    write_folded(results, stream, "Skipped", "skipped");
    write_folded(results, stream, "All rows", NULL);
    return ferror(stream) == 0;
}
