/* SPDX-License-Identifier: MIT */
/*
 * JUnit XML as Jenkins and GitLab read it: reports/schema/junit.xsd. An erratum is a test that
 * passes and reports its finding. Times are written only if the results have them, so that the same
 * results give the same bytes.
 */
#include "reports/reports.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of UTF-8 are copied. The file is valid UTF-8 only if `text` is. */
static void xml_text(FILE *stream, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        switch (*c) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\n': fputs("&#10;", stream); break;
        default: /* XML 1.0 has no other control characters */
            if (*c >= 0x20 || *c == '\t') fputc(*c, stream);
        }
    }
}

static void write_attribute(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, " %s=\"", name);
    xml_text(stream, text);
    fputc('"', stream);
}

/* Sum of the times of the rows with the case of `like`, NULL: of all rows; nothing if rows have no
   times. */
static void write_time(FILE *stream, const json_t *rows, const json_t *like)
{
    double sum = 0;
    bool measured = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *seconds = json_object_get(row, "seconds");
        if (!json_is_number(seconds) || (like != NULL && !ic_report_same_case(row, like))) continue;
        sum += json_number_value(seconds);
        measured = true;
    }
    if (measured) fprintf(stream, " time=\"%.6f\"", sum);
}

static bool write_test_case(FILE *stream, const json_t *row)
{
    char *measured = ic_report_measurement(row);
    if (measured == NULL) return false;
    fputs("    <testcase", stream);
    write_attribute(stream, "classname", ic_report_text(row, "subject"));
    fputs(" name=\"", stream);
    ic_report_test_name(stream, row, xml_text);
    fputc('"', stream);
    const json_t *seconds = json_object_get(row, "seconds");
    if (json_is_number(seconds)) fprintf(stream, " time=\"%.6f\"", json_number_value(seconds));
    fputc('>', stream);
    if (ic_report_failed(row) || ic_report_skipped(row)) {
        fputs(ic_report_failed(row) ? "<failure" : "<skipped", stream);
        if (ic_report_failed(row)) write_attribute(stream, "type", ic_report_text(row, "check"));
        write_attribute(stream, "message", measured);
        fputs("/>", stream);
    } else {
        fputs("<system-out>", stream);
        xml_text(stream, measured);
        fputs("</system-out>", stream);
    }
    fputs("</testcase>\n", stream);
    free(measured);
    return true;
}

/* The case of row `first`, with all its rows. */
static bool write_test_suite(FILE *stream, const json_t *rows, size_t first)
{
    const json_t *like = json_array_get(rows, first);
    const ic_report_counts counts = ic_report_count(rows, like, NULL);
    char *name = strndup(ic_report_text(like, "subject"), (size_t)ic_report_case_length(like));
    bool good = name != NULL;
    if (!good) return false;
    fputs("  <testsuite", stream);
    write_attribute(stream, "name", name);
    free(name);
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"", counts.all, counts.failed,
            counts.skipped);
    write_time(stream, rows, like);
    fputs(">\n", stream);
    for (size_t i = first; i < json_array_size(rows) && good; i++) {
        const json_t *row = json_array_get(rows, i);
        if (ic_report_same_case(row, like)) good = write_test_case(stream, row);
    }
    fputs("  </testsuite>\n", stream);
    return good;
}

bool ic_report_junit(const json_t *results, FILE *stream)
{
    const json_t *rows = json_object_get(results, "rows");
    const ic_report_counts counts = ic_report_count(rows, NULL, NULL);
    bool good = true;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", stream);
    write_attribute(stream, "name", ic_report_text(results, "title"));
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"0\"", counts.all, counts.failed);
    write_time(stream, rows, NULL);
    fputs(">\n", stream);
    for (size_t i = 0; i < json_array_size(rows) && good; i++) {
        if (ic_report_begins_case(rows, i)) good = write_test_suite(stream, rows, i);
    }
    fputs("</testsuites>\n", stream);
    return good && ferror(stream) == 0;
}
