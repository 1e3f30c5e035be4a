/* SPDX-License-Identifier: MIT */
/** Parts of a case by name, and suggestions for misspelt names. */
#pragma once

#include "impactcheck/impactcheck.h"

/** A preset or variant by name, or NULL. Other look-ups by name are public (impactcheck.h). */
const ic_preset *ic_preset_find(const ic_case *system, const char *name);
const ic_variant *ic_variant_find(const ic_case *system, const char *name);

/** A guard of a mode by name, or NULL. */
const ic_guard *ic_guard_find(const ic_mode *mode, const char *name);

/** Index of the output, state or parameter of that name; their number if it does not exist. The same of a law. */
size_t ic_output_find(const ic_case *system, const char *name);
size_t ic_state_find(const ic_case *system, const char *name);
size_t ic_parameter_find(const ic_case *system, const char *name);
size_t ic_law_parameter(const ic_law *law, const char *name);

/** Index of a mode of the variant, or -1. */
int ic_mode_find(const ic_variant *variant, const char *name);

/**
 * Whether the case lists state i among those that only events change, to values without rounding.
 */
bool ic_state_is_discrete(const ic_case *system, size_t i);

/**
 * Whether state i follows from the others according to the case's contact view, or is the memory of
 * a law.
 */
bool ic_state_is_derived(const ic_case *system, size_t i);

/** Name of the state that holds a law's memory. */
extern const char ic_memory_name[];

/** Number of letters by which two names differ (insertions, deletions, replacements). */
size_t ic_name_distance(const char *a, const char *b);

/** A short text: a name, a path, a hint. */
typedef struct ic_hint {
    char text[128];
} ic_hint;

/** A search for the name nearest to a misspelt one, which is borrowed; NULL: there is none. */
typedef struct ic_nearest {
    const char *wrong;

    /* the nearest name so far that is near, or "" */
    ic_hint name;

    size_t distance;
} ic_nearest;

void ic_nearest_offer(ic_nearest *nearest, const char *name);

/** "; did you mean 'NAME'?", or "" if no name is near. */
ic_hint ic_nearest_hint(const ic_nearest *nearest);

/**
 * Shell-style match with * and ?. A text equal to the pattern matches even if it contains these.
 */
bool ic_glob(const char *pattern, const char *text);
