/* SPDX-License-Identifier: MIT */
/**
 * Reports made from the results of `impactcheck verify`, which are read as JSON:
 *
 *     {"rows": [{"check", "subject", "solver", "what", "error", "radius", "tolerance", "unit", "origin", "detail",
 *      "verdict"}], "summary": {"pass", "fail", "erratum", "skipped"}}
 *
 * Each returns whether all of it was written.
 */
#ifndef IC_REPORTS_REPORTS_H
#define IC_REPORTS_REPORTS_H

#include "reports/number.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/** JUnit XML: one test suite for each check, one test case for each row. */
bool ic_report_junit(const json_t *results, FILE *stream);

/** Markdown: the summary by case and solver, what failed, errata, every row. */
bool ic_report_markdown(const json_t *results, FILE *stream);

/** Text of a member of a row, "" where it has none. */
const char *ic_report_text(const json_t *row, const char *key);

/** A number of a row for people, "" where it has none. */
ic_number_text ic_report_number(const json_t *row, const char *key);

/** Whether a row's verdict is failure, whatever its spelling. */
bool ic_report_failed(const json_t *row);

#endif
