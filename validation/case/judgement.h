/* SPDX-License-Identifier: MIT */
/**
 * Whether a case agrees with itself: its texts with its functions, its rates with its flows, its
 * jumps with its modes, its energy with all of them. This is judged first: a solver must not be
 * blamed for a case that contradicts itself.
 */
#pragma once

#include "validation/results.h"
#include "validation/selection.h"

/**
 * The one row of a case: passed, or failed by the first contradiction that was found, which names
 * its place and both numbers. `undecided` (of `size` bytes) names the parts that could not be
 * judged, or is "". false: memory ran out, and the row is empty.
 */
bool ic_case_judge(ic_result *row, char *undecided, size_t size, const ic_case *system);

/**
 * Judge the selected cases (NULL: all) and add a row for each, and a skipped row if parts of the
 * case could not be judged.
 */
void ic_cases_judge(ic_results *results, const ic_case *const *cases, size_t n, const ic_selection *selection);
