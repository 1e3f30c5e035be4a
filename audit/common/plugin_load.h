/* SPDX-License-Identifier: MIT */
/** Loads a plugin and checks its tables; in a child process. */
#ifndef IC_AUDIT_COMMON_PLUGIN_LOAD_H
#define IC_AUDIT_COMMON_PLUGIN_LOAD_H

#include "core/expression.h"

/** NULL: `error` says what was found and what would be right. The library stays loaded. */
const ic_plugin *ic_plugin_load(const char *path, ic_error *error);

#endif
