/* SPDX-License-Identifier: MIT */
/**
 * Audit of a shared library that exports laws, impact maps and solvers by the public header
 * (`ic_plugin`).
 *
 * The library is never loaded into the calling process. A child loads it and says what it has; then
 * each law, map and solver is audited in a child of its own, which is ended when its time is up.
 * What crashes or hangs is a finding, and hides nothing else.
 */
#ifndef IC_AUDIT_PLUGIN_H
#define IC_AUDIT_PLUGIN_H

#include "audit/common/sink.h"
#include "core/expression.h"

/** s; for each law, map and solver, where none is asked for */
#define IC_PLUGIN_TIME_LIMIT 60.0

/**
 * false: the library is not one that can be audited, or the system refuses; `error` says why, and
 * what would be right.
 */
bool ic_audit_plugin(ic_audit_report *report, const char *path, double time_limit, ic_error *error);

#endif
