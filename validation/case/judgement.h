/* SPDX-License-Identifier: MIT */
/**
 * Whether a case agrees with itself: its texts with its functions, its rates with its flows, its
 * jumps with its modes, its energy with all of them. A solver that is held against a case that
 * contradicts itself would be blamed for what it did not do; so that is judged first.
 */
#ifndef IC_VALIDATION_CASE_JUDGEMENT_H
#define IC_VALIDATION_CASE_JUDGEMENT_H

#include "validation/results.h"
#include "validation/selection.h"

/**
 * The one row of a case: passed, or failed by the first contradiction that was found, which names
 * its place and both numbers. What could not be judged is named in `undecided` (of `size` bytes),
 * "" where there is nothing. false: memory ran out, the row says nothing.
 */
bool ic_case_judge(ic_result *row, char *undecided, size_t size, const ic_case *system);

/**
 * Judge the cases that a selection has (NULL: all) and add their rows: one for each, and one that
 * is skipped for what could not be judged.
 */
void ic_cases_judge(ic_results *results, const ic_case *const *cases, size_t n, const ic_selection *selection);

#endif
