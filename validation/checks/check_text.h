/* SPDX-License-Identifier: MIT */
/** The check of rates by the text of a case, for tests with another text. */
#ifndef IC_VALIDATION_CHECKS_CHECK_TEXT_H
#define IC_VALIDATION_CHECKS_CHECK_TEXT_H

#include "validation/results.h"

/** Adds one row: rates at places of a run are those of a text (NULL: that of the case), or why this is not judged. */
void ic_text_rates_judge(ic_results *results, const ic_problem *problem, const char *text, const char *path);

#endif
