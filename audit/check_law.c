/* SPDX-License-Identifier: MIT */
#include "audit/plugin.h"
void ic_audit_law(ic_sink *sink, const ic_law *law)
{
    (void)sink, (void)law;
}
