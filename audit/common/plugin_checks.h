/* SPDX-License-Identifier: MIT */
/** The checks of a plugin, by number: a row of audit/common/plugin_checks.def each. */
#ifndef IC_AUDIT_COMMON_PLUGIN_CHECKS_H
#define IC_AUDIT_COMMON_PLUGIN_CHECKS_H

#include "audit/common/finding.h"

typedef enum ic_plugin_check {
#define IC_PLUGIN_CHECK(id_, ...) IC_CHECK_##id_,
#include "audit/common/plugin_checks.def"
#undef IC_PLUGIN_CHECK
    IC_PLUGIN_CHECK_COUNT
} ic_plugin_check;

extern const ic_audit_check ic_plugin_checks[IC_PLUGIN_CHECK_COUNT];

#endif
