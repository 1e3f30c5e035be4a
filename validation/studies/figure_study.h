/* SPDX-License-Identifier: MIT */
/** Figures that cases state, as studies: curves over a parameter, and published points beside them. */
#pragma once

#include "validation/studies/study.h"

/** Receives a fault: name of the figure, key, place in its text, reason. */
typedef void ic_figure_report(const char *name, const char *key, size_t offset, const char *text,
                              void *context);

/**
 * The study of figure i of a case, named CASE/FIGURE. It has rows of the curves, and then a row for
 * each published point. Release it with ic_figure_study_free. NULL: faults were reported, or memory
 * ran out.
 */
const ic_study *ic_figure_study_new(const ic_case *system, size_t i, ic_figure_report *report, void *context);
void ic_figure_study_free(const ic_study *study);
