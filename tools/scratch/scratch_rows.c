/* SPDX-License-Identifier: MIT */
/* A check of rows, as CONTRIBUTING.md tells to add one: the times between rows have one sign. */
#include "audit/trajectory/checks/checks.h"

#include <math.h>

void ic_audit_scratch(ic_findings *findings, const ic_tracking *k)
{
    double least = INFINITY;
    for (size_t i = 1; i < k->trajectory->n; i++)
        least = fmin(least, k->trajectory->t[i] - k->trajectory->t[i - 1]);
    const ic_finding f = ic_finding_of(&ic_row_check_scratch, k, fmax(0, -least), 0, "s");
    ic_findings_add(findings, &f);
}
