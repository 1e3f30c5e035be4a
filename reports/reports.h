/* SPDX-License-Identifier: MIT */
/**
 * Reports made from the results of `impactcheck verify` and of audits, which are read as JSON:
 *
 *     {"title", "rows": [one member for each column of reports/result_columns.def],
 *      "summary": {"pass", "fail", "erratum", "skipped"}}
 *
 * An audit has a "verdict" as a whole: "good", "failed" or "undecided". A row may also have
 * "seconds", its duration. A subject is "case", "case/preset", or the audited object. A place, which
 * only audits have, is a part of the subject. A finding of an audit has the members "cause", "cause_code" and
 * "needed" too. Each returns whether all of it was written.
 */
#pragma once

#include "reports/number.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * JUnit XML: one test suite for each case, one test case for each row; with times, s, where rows
 * have "seconds". The findings of one check on one subject are one test case, wherever they are: its name holds
 * the code and the check, since places change with the audited code, and histories should not.
 */
bool ic_report_junit(const json_t *results, FILE *stream);

/**
 * Test Anything Protocol, version 13: one line for each row, and what was measured below those that
 * fail.
 */
bool ic_report_tap(const json_t *results, FILE *stream);

/**
 * Markdown for the page of a job: the summary by case and solver, failures; folded: errata, skipped
 * rows, all rows.
 */
bool ic_report_markdown(const json_t *results, FILE *stream);

/** Text of a member of a row; "" if it has none. */
const char *ic_report_text(const json_t *row, const char *key);

/** A number of a row for readers; "" if it has none. */
ic_number_text ic_report_number(const json_t *row, const char *key);

/** Whether a row's verdict is a failure, in any spelling. */
bool ic_report_failed(const json_t *row);

/** Whether a row was not compared. */
bool ic_report_skipped(const json_t *row);

/** Whether a row is a finding of an audit. */
bool ic_report_is_finding(const json_t *row);

/** Whether the subjects of two rows have the same case: what is before the first '/'. */
bool ic_report_same_case(const json_t *a, const json_t *b);

/** Number of letters of a row's case at the beginning of its subject. */
int ic_report_case_length(const json_t *row);

/** Whether row i is the first of its case. */
bool ic_report_begins_case(const json_t *rows, size_t i);

/** Write rows with a verdict; `all` is their number. */
typedef struct ic_report_counts {
    size_t all, failed, skipped;
} ic_report_counts;

/**
 * Counts of the rows with the case of `like`, NULL: any, and with a solver, NULL: any.
 */
ic_report_counts ic_report_count(const json_t *rows, const json_t *like, const char *solver);

/** "CODE CHECK, SOLVER, PLACE: WHAT", by a function that escapes what the format needs. */
void ic_report_test_name(FILE *stream, const json_t *row, void (*write)(FILE *stream, const char *text));

/**
 * The measurement as one text to be freed: "error 1.2e-14 s, radius 3e-20 s, tolerance 1e-12 s
 * (200 ulp of the run's end); what was seen". NULL: memory ran out.
 */
char *ic_report_measurement(const json_t *row);
