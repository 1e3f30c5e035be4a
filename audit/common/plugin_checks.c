/* SPDX-License-Identifier: MIT */
#include "audit/common/finding.h"

const ic_audit_check ic_plugin_checks[IC_PLUGIN_CHECK_COUNT] = {
#define IC_PLUGIN_CHECK(code_, id_, name_, what_, why_, ...)                                                   \
    [IC_CHECK_##                                                                                               \
        id_] = {.code = (code_), .name = (name_), .what = (what_), .why = (why_), .reference = __VA_ARGS__},
#include "audit/common/plugin_checks.def"
};
