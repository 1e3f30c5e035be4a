/* SPDX-License-Identifier: MIT */
#include "reports/json.h"
#include "reports/reports.h"

#include <stdlib.h>

/* Text on a line of its own: # begins a directive, a line break would end it. */
static void write_description(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\') fputc('\\', stream);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, stream);
    }
}

/* A string of JSON is one of YAML. */
static void write_yaml(FILE *stream, const char *key, const char *text)
{
    ic_json json = ic_json_to(stream);
    fprintf(stream, "  %s: ", key);
    ic_json_text(&json, NULL, text);
    fputc('\n', stream);
}

static void write_diagnosis(FILE *stream, const json_t *row, const char *measured)
{
    static const char *const keys[] = {"check", "subject", "place", "solver"};
    fputs("  ---\n", stream);
    write_yaml(stream, "message", measured);
    write_yaml(stream, "severity", "fail");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        write_yaml(stream, keys[i], ic_report_text(row, keys[i]));
    fputs("  ...\n", stream);
}

static bool write_test_point(FILE *stream, const json_t *row, size_t number)
{
    char *measured = ic_report_measurement(row);
    if (measured == NULL) return false;
    const bool failed = ic_report_failed(row);
    fprintf(stream, "%sok %zu - ", failed ? "not " : "", number);
    write_description(stream, ic_report_text(row, "subject"));
    fputs(": ", stream);
    ic_report_test_name(stream, row, write_description);
    if (ic_report_skipped(row)) {
        fputs(" # SKIP ", stream);
        write_description(stream, measured);
    }
    fputc('\n', stream);
    if (failed) write_diagnosis(stream, row, measured);
    free(measured);
    return true;
}

bool ic_report_tap(const json_t *results, FILE *stream)
{
    const json_t *rows = json_object_get(results, "rows");
    bool good = true;
    fprintf(stream, "TAP version 13\n# ");
    write_description(stream, ic_report_text(results, "title"));
    fprintf(stream, "\n1..%zu\n", json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows) && good; i++) {
        good = write_test_point(stream, json_array_get(rows, i), i + 1);
    }
    return good && ferror(stream) == 0;
}
