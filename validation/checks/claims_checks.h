/* SPDX-License-Identifier: MIT */
/** The checks of published data, on any text; `impactcheck verify` passes the embedded files. */
#pragma once

#include "validation/checks/verify.h"
#include "validation/claims/claims.h"

extern const ic_check ic_check_published, ic_check_continuity, ic_check_errata;

/**
 * One row for each row of a file such as reference/published/claims-roller.csv: IC_SKIPPED if it is
 * not testable.
 */
void ic_published_judge(ic_results *results, const ic_selection *selection, ic_claim_evaluator *evaluator,
                        const char *path, const char *text);

/**
 * One row for each row of a file such as reference/errata.csv: IC_ERRATUM if its evidence
 * reproduces, IC_PASS if it is more evidence for the row above.
 */
void ic_errata_judge(ic_results *results, const ic_selection *selection, const char *path, const char *text);

/** Judges a statement of a case file. */
typedef void ic_statement_visit(ic_results *results, const ic_selection *selection,
                                ic_claim_evaluator *evaluator, const ic_claim *claim);

/**
 * Visit the statements of the selected cases that hold, or those that do not (`errata`). The former
 * adds a failure for each statement that cannot be read.
 */
void ic_for_each_statement(ic_results *results, const ic_selection *selection, bool errata,
                           ic_statement_visit *visit);

/** Rows for each roller preset in a file such as reference/published/roller-table-1.csv. */
void ic_continuity_judge(ic_results *results, const ic_selection *selection, const char *path,
                         const char *text);

/** Judges a file that is built in; a failure of the check if it is not. */
void ic_embedded_judge(ic_results *results, const ic_selection *selection, const char *check, const char *path,
                       void (*judge)(ic_results *results, const ic_selection *selection, const char *path,
                                     const char *text));
