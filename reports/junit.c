/* SPDX-License-Identifier: MIT */
/* JUnit XML as Jenkins and GitLab read it. An erratum is a test that passes and says what it found. */
#include "reports/reports.h"

#include <stdbool.h>
#include <string.h>

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

static void attribute(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, " %s=\"", name);
    xml_text(stream, text);
    fputc('"', stream);
}

/* "error 1.2e-14 s, radius 3e-20 s, tolerance 1e-12 s (200 ulp of the run's end); what was seen" */
static void measurement(FILE *stream, const json_t *row)
{
    static const char *const keys[] = {"error", "radius", "tolerance"};
    const char *between = "";
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const ic_number_text number = ic_report_number(row, keys[i]);
        if (number.text[0] == '\0') continue;
        fprintf(stream, "%s%s %s ", between, keys[i], number.text);
        xml_text(stream, ic_report_text(row, "unit"));
        between = ", ";
    }
    if (ic_report_text(row, "origin")[0] != '\0') {
        fputs(" (", stream);
        xml_text(stream, ic_report_text(row, "origin"));
        fputc(')', stream);
    }
    if (ic_report_text(row, "detail")[0] != '\0') {
        fputs(between[0] == '\0' ? "" : "; ", stream);
        xml_text(stream, ic_report_text(row, "detail"));
    }
}

static void test_case(FILE *stream, const json_t *row)
{
    const char *solver = ic_report_text(row, "solver");
    const bool skipped = strcmp(ic_report_text(row, "verdict"), "skipped") == 0;
    fputs("    <testcase", stream);
    attribute(stream, "classname", ic_report_text(row, "subject"));
    fputs(" name=\"", stream);
    if (solver[0] != '\0') {
        xml_text(stream, solver);
        fputs(": ", stream);
    }
    xml_text(stream, ic_report_text(row, "what"));
    fputs("\">", stream);
    if (ic_report_failed(row)) {
        fputs("<failure message=\"", stream);
        measurement(stream, row);
        fputs("\"/>", stream);
    } else if (skipped) {
        fputs("<skipped", stream);
        attribute(stream, "message", ic_report_text(row, "detail"));
        fputs("/>", stream);
    } else {
        fputs("<system-out>", stream);
        measurement(stream, row);
        fputs("</system-out>", stream);
    }
    fputs("</testcase>\n", stream);
}

/* How many rows of a check (NULL: of all) there are, failed and skipped. */
static void count(const json_t *rows, const char *check, size_t *all, size_t *failed, size_t *skipped)
{
    *all = *failed = *skipped = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (check != NULL && strcmp(ic_report_text(row, "check"), check) != 0) continue;
        *all += 1;
        *failed += ic_report_failed(row);
        *skipped += strcmp(ic_report_text(row, "verdict"), "skipped") == 0;
    }
}

static void counts(FILE *stream, const json_t *rows, const char *check)
{
    size_t all = 0, failed = 0, skipped = 0;
    count(rows, check, &all, &failed, &skipped);
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"", all, failed, skipped);
}

static bool is_first_of_its_check(const json_t *rows, size_t i)
{
    const char *check = ic_report_text(json_array_get(rows, i), "check");
    for (size_t j = 0; j < i; j++) {
        if (strcmp(ic_report_text(json_array_get(rows, j), "check"), check) == 0) return false;
    }
    return true;
}

static void test_suite(FILE *stream, const json_t *rows, const char *check)
{
    fputs("  <testsuite", stream);
    attribute(stream, "name", check);
    counts(stream, rows, check);
    fputs(">\n", stream);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(ic_report_text(row, "check"), check) == 0) test_case(stream, row);
    }
    fputs("  </testsuite>\n", stream);
}

bool ic_report_junit(const json_t *results, FILE *stream)
{
    const json_t *rows = json_object_get(results, "rows");
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"impactcheck verify\"", stream);
    counts(stream, rows, NULL);
    fputs(">\n", stream);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        if (!is_first_of_its_check(rows, i)) continue;
        test_suite(stream, rows, ic_report_text(json_array_get(rows, i), "check"));
    }
    fputs("</testsuites>\n", stream);
    return ferror(stream) == 0;
}
