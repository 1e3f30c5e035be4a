/* SPDX-License-Identifier: MIT */
#include "audit/plugin.h"
void ic_audit_solver(ic_sink *sink, const ic_solver *solver)
{
    (void)sink, (void)solver;
}
