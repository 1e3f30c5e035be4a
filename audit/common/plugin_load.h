/* SPDX-License-Identifier: MIT */
/** Loads a plugin and checks its tables, in a child process. */
#ifndef IC_AUDIT_COMMON_PLUGIN_LOAD_H
#define IC_AUDIT_COMMON_PLUGIN_LOAD_H

#include "core/expression.h"

/**
 * Load a plugin. NULL: `error` states what was found, and a correct alternative. The library stays
 * loaded.
 */
const ic_plugin *ic_plugin_load(const char *path, ic_error *error);

#endif
