/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/checks/checks.h"

#define IC_ROW_CHECK(code_, id_, name_, needed_, roles_, what_, why_, reference_)                              \
    const ic_audit_check ic_row_check_##id_ = {                                                                \
        .code = code_, .name = name_, .what = what_, .why = why_, .reference = reference_, .needed = needed_};
#include "audit/trajectory/checks/checks.def"
#undef IC_ROW_CHECK
