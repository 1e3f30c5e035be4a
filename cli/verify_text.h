/* SPDX-License-Identifier: MIT */
/**
 * Text output of `impactcheck verify`: a summary, skipped rows, failures, and the verdict.
 */
#ifndef IC_CLI_VERIFY_TEXT_H
#define IC_CLI_VERIFY_TEXT_H

#include "validation/results.h"

/**
 * All rows, each with what was compared, its error and tolerance; then errata and what was skipped,
 * in full. false: no memory.
 */
bool cli_verify_print_rows(const ic_results *results);

/**
 * The summary by solver and case, and the verdict in the last line. `undecided` says of what
 * nothing was judged; "": of nothing. `verbose`: all rows were printed, so that none are grouped or
 * left out. false: no memory.
 */
bool cli_verify_print_summary(const ic_results *results, const char *undecided, bool verbose);

/** Why a row failed: error and tolerance, and what the check has seen. */
typedef struct cli_reason {
    char text[512];
} cli_reason;

cli_reason cli_verify_reason(const ic_result *row);

#endif
