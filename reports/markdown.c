/* SPDX-License-Identifier: MIT */
#include "reports/reports.h"

#include <stdbool.h>
#include <string.h>

/* A cell of a table: bars and line breaks would end it, and * and _ change the type. */
static void cell(FILE *stream, const char *text)
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

/* Rows with a verdict, as sentences with their details. */
static void section(const json_t *results, FILE *stream, const char *title, const char *verdict)
{
    const json_t *rows = json_object_get(results, "rows");
    if (summary_of(results, verdict) == 0) return;
    fprintf(stream,
            "\n## %s\n\n| subject | solver | what | error | tolerance | unit | detail |\n"
            "|---|---|---|---|---|---|---|\n",
            title);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!has_verdict(row, verdict)) continue;
        cell(stream, ic_report_text(row, "subject"));
        cell(stream, ic_report_text(row, "solver"));
        cell(stream, ic_report_text(row, "what"));
        cell(stream, ic_report_number(row, "error").text);
        cell(stream, ic_report_number(row, "tolerance").text);
        cell(stream, ic_report_text(row, "unit"));
        cell(stream, ic_report_text(row, "detail"));
        fputs("|\n", stream);
    }
}

static void all_rows(const json_t *results, FILE *stream)
{
    const json_t *rows = json_object_get(results, "rows");
    static const char *const texts[] = {"verdict", "check", "subject", "solver", "what"};
    static const char *const numbers[] = {"error", "radius", "tolerance"};
    fputs("\n## All rows\n\n| verdict | check | subject | solver | what | error | radius | tolerance | unit | "
          "where the "
          "tolerance comes from |\n|---|---|---|---|---|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++) cell(stream, ic_report_text(row, texts[j]));
        for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
            cell(stream, ic_report_number(row, numbers[j]).text);
        }
        cell(stream, ic_report_text(row, "unit"));
        cell(stream, ic_report_text(row, "origin"));
        fputs("|\n", stream);
    }
}

bool ic_report_markdown(const json_t *results, FILE *stream)
{
    fprintf(stream, "# Impactcheck: verification\n\n%lld passed, %lld failed, %lld errata, %lld skipped.\n",
            summary_of(results, "pass"), summary_of(results, "fail"), summary_of(results, "erratum"),
            summary_of(results, "skipped"));
    section(results, stream, "Failed", "fail");
    section(results, stream, "Errata: published values that do not hold", "erratum");
    section(results, stream, "Skipped", "skipped");
    all_rows(results, stream);
    return ferror(stream) == 0;
}
