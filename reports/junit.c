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

/* ---- tests: a row, or the findings of one check on one subject */

static bool same_test(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"check", "code", "subject", "solver"};
    if (!ic_report_is_finding(a) || !ic_report_is_finding(b)) return a == b;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(ic_report_text(a, keys[i]), ic_report_text(b, keys[i])) != 0) return false;
    }
    return true;
}

static bool begins_test(const json_t *rows, size_t i)
{
    const json_t *row = json_array_get(rows, i);
    for (size_t k = 0; k < i && ic_report_is_finding(row); k++) {
        if (same_test(json_array_get(rows, k), row)) return false;
    }
    return true;
}

/* Counts of the rows of the test that begins with row `first`. */
static ic_report_counts count_test(const json_t *rows, size_t first)
{
    const json_t *like = json_array_get(rows, first);
    ic_report_counts counts = {1, ic_report_failed(like), ic_report_skipped(like)};
    for (size_t i = first + 1; i < json_array_size(rows) && ic_report_is_finding(like); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!same_test(row, like)) continue;
        counts.all++;
        counts.failed += ic_report_failed(row);
        counts.skipped += ic_report_skipped(row);
    }
    return counts;
}

/* The tests of the case of `like`, NULL: all. */
static ic_report_counts count_tests(const json_t *rows, const json_t *like)
{
    ic_report_counts tests = {0, 0, 0};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        if ((like != NULL && !ic_report_same_case(json_array_get(rows, i), like)) || !begins_test(rows, i))
            continue;
        const ic_report_counts of_test = count_test(rows, i);
        tests.all++;
        tests.failed += of_test.failed > 0;
        tests.skipped += of_test.failed == 0 && of_test.skipped == of_test.all;
    }
    return tests;
}

/* "IC-T-007 events", and of a row of verify what it compares: nothing that changes with the audited code */
static void write_name(FILE *stream, const json_t *row)
{
    const char *code = ic_report_text(row, "code"), *solver = ic_report_text(row, "solver");
    fprintf(stream, "%s%s%s%s", code, code[0] != '\0' ? " " : "", ic_report_text(row, "check"),
            solver[0] != '\0' ? ", " : "");
    xml_text(stream, solver);
    if (ic_report_is_finding(row)) return;
    fputs(": ", stream);
    xml_text(stream, ic_report_text(row, "what"));
}

/* What was measured in the rows of a test that have its verdict, with their places. */
static bool write_measured(FILE *stream, const json_t *rows, size_t first, const ic_report_counts *counts)
{
    enum { MOST_SHOWN = 20 };
    const json_t *like = json_array_get(rows, first);
    size_t shown = 0;
    for (size_t i = first; i < json_array_size(rows) && shown < MOST_SHOWN; i++) {
        const json_t *row = json_array_get(rows, i);
        if (i > first && !same_test(row, like)) continue;
        if (counts->failed > 0 && !ic_report_failed(row)) continue;
        char *measured = ic_report_measurement(row);
        if (measured == NULL) return false;
        const char *place = ic_report_is_finding(row) ? ic_report_text(row, "place") : "";
        if (shown++ > 0) xml_text(stream, "\n");
        xml_text(stream, place);
        xml_text(stream, place[0] != '\0' ? ": " : "");
        xml_text(stream, measured);
        free(measured);
        if (!ic_report_is_finding(like)) break;
    }
    return true;
}

static bool write_test_case(FILE *stream, const json_t *rows, size_t first)
{
    const json_t *row = json_array_get(rows, first), *seconds = json_object_get(row, "seconds");
    const ic_report_counts counts = count_test(rows, first);
    const bool failed = counts.failed > 0, skipped = !failed && counts.skipped == counts.all;
    fputs("    <testcase", stream);
    write_attribute(stream, "classname", ic_report_text(row, "subject"));
    fputs(" name=\"", stream);
    write_name(stream, row);
    fputc('"', stream);
    if (json_is_number(seconds)) fprintf(stream, " time=\"%.6f\"", json_number_value(seconds));
    fputs(failed ? "><failure" : skipped ? "><skipped" : "><system-out>", stream);
    if (failed) write_attribute(stream, "type", ic_report_text(row, "check"));
    if (failed || skipped) fputs(" message=\"", stream);
    const bool good = write_measured(stream, rows, first, &counts);
    fputs(failed || skipped ? "\"/></testcase>\n" : "</system-out></testcase>\n", stream);
    return good;
}

/* The case of row `first`, with all its rows. */
static bool write_test_suite(FILE *stream, const json_t *rows, size_t first)
{
    const json_t *like = json_array_get(rows, first);
    const ic_report_counts counts = count_tests(rows, like);
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
        if (ic_report_same_case(row, like) && begins_test(rows, i)) good = write_test_case(stream, rows, i);
    }
    fputs("  </testsuite>\n", stream);
    return good;
}

bool ic_report_junit(const json_t *results, FILE *stream)
{
    const json_t *rows = json_object_get(results, "rows");
    const ic_report_counts counts = count_tests(rows, NULL);
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
