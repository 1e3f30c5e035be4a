/* SPDX-License-Identifier: MIT */
/** The cases, presets and solvers that are verified. */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** The cases and solvers to verify. */
typedef struct ic_selection {
    /* glob over "case" and "case/preset"; NULL: all */
    const char *subjects;

    /* glob over names of solvers; NULL: all */
    const char *solvers;

    /* leave out solvers of other packages */
    bool own;

    /* true: all of the slow checks; false: a part of them */
    bool full;

    /* inconsistent cases, which are left out; NULL: none */
    const bool *left_out;
} ic_selection;

/** Whether a case, preset or solver is selected. */
bool ic_selects_preset(const ic_selection *selection, const ic_case *system, const ic_preset *preset);
bool ic_selects_case(const ic_selection *selection, const ic_case *system);
bool ic_selects_solver(const ic_selection *selection, const ic_solver *solver);

/** Whether the selection matches a preset and a solver; false with a message for people if not. */
bool ic_selection_matches(const ic_selection *selection, char *message, size_t size);

/** Whether a path has * or ?, and is not the name of a built-in preset: roller/III/C* is one. */
bool ic_is_pattern(const char *path);

/** Paths of presets: "roller/III/C", "FILE.yaml/PRESET". */
typedef struct ic_subject_list {
    char **names;
    size_t count, capacity;
} ic_subject_list;

/**
 * Add the presets that a path names. It may be a pattern: CASE/..., or FILE.yaml/... false: `error` gives the
 * reason, for example that no preset matches.
 */
bool ic_subject_list_add(ic_subject_list *list, const char *path, ic_error *error);
void ic_subject_list_free(ic_subject_list *list);
