/* SPDX-License-Identifier: MIT */
/**
 * Text output of `impactcheck verify`: a summary, skipped rows, failures, and the verdict.
 */
#pragma once

#include "validation/results.h"

/**
 * All rows, each with the quantity that is compared, its error and its tolerance; then errata and
 * skipped rows, in full. false: memory ran out.
 */
bool cli_verify_print_rows(const ic_results *results);

/**
 * The summary by solver and case, and the verdict in the last line. `undecided` names cases and
 * solvers without judged rows; "": none. `verbose`: all rows were printed, so that none are grouped
 * or left out. false: memory ran out.
 */
bool cli_verify_print_summary(const ic_results *results, const char *undecided, bool verbose);

/** The reason of a failure: error and tolerance, and the detail of the row. */
typedef struct cli_reason {
    char text[512];
} cli_reason;

cli_reason cli_verify_reason(const ic_result *row);
