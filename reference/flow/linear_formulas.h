/* SPDX-License-Identifier: MIT */
/**
 * Formulas of a problem that has texts instead: those of its linear view. Cases in C give these alone.
 * The texts are read exactly, and need not be linear.
 */
#pragma once

#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ic_linear_formulas {
    /* the problem with formulas where it has texts; names, branches and functions are borrowed */
    ic_problem problem;

    ic_variant variant;
    ic_mode *modes;
    ic_time_event *time_events;

    /* all formulas that were made */
    ic_equations **made;
    size_t n_made;

    /* why open failed */
    char message[256];
} ic_linear_formulas;

/**
 * Adds formulas wherever a problem has only texts. What has neither stays without formulas. false: a text is
 * malformed, or memory ran out; `message` states which. Close in any case.
 */
bool ic_linear_formulas_open(ic_linear_formulas *formulas, const ic_problem *problem);

/** An expression in parameters as the one result of formulas. NULL: as above. */
const ic_equations *ic_linear_formulas_read(ic_linear_formulas *formulas, const char *text);
void ic_linear_formulas_close(ic_linear_formulas *formulas);
