/* SPDX-License-Identifier: MIT */
/** Loads a plugin and checks its tables, in a child process. */
#pragma once

#include "core/expression.h"

#include <string.h>

/**
 * Load a plugin. NULL: `error` states what was found, and a correct alternative. The library stays
 * loaded.
 */
const ic_plugin *ic_plugin_load(const char *path, ic_error *error);

/** Whether law i of a table has all that an audit needs. false: `error` states what is missing or wrong. */
bool ic_law_is_whole(const ic_law *law, size_t i, ic_error *error);

/** What a law or a map says that it implements; NULL: nothing, or its plugin is older than this member. */
#define IC_IMPLEMENTS(subject_) ((subject_)->struct_size == sizeof *(subject_) ? (subject_)->implements : NULL)

/** Says that no formula is to be judged. */
#define IC_IMPLEMENTS_OWN "own"

/** Whether what a law or a map implements says so. */
static inline bool ic_says_own(const char *implements)
{
    return implements != NULL && strcmp(implements, IC_IMPLEMENTS_OWN) == 0;
}
