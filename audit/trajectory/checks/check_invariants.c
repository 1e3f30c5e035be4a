/* SPDX-License-Identifier: MIT */
/*
 * Rows that follow the flow of a mode must keep its invariants: a ball that hovers does not rest on
 * the floor.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>

/*
 * With noise, up to this many consecutive intervals may belong to another mode, such as the last of
 * many bounces.
 */
enum { LEAST_STAY = 6 };

/*
 * Whether noise hides in which mode the rows are in the intervals around this one whose invariant does not hold: they are
 * few, or the case leads across all of them with its guards.
 */
static bool stays_hidden(const ic_tracking *k, size_t i)
{
    size_t first = i, last = i;
    while (first > 0 && k->intervals[first - 1].explanation == IC_UNHELD) first--;
    while (last + 1 < k->n_intervals && k->intervals[last + 1].explanation == IC_UNHELD) last++;
    if (ic_noise_hides(k) || last - first + 1 < LEAST_STAY) return true;
    return ic_follow_between(k, k->intervals[first].from, k->intervals[last].to).explanation < IC_UNEXPLAINED;
}

void ic_audit_invariants(ic_findings *findings, const ic_tracking *k)
{
    ic_breach worst = {.tolerance = 1};
    size_t count = 0, in_doubt = 0, at = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        if (interval->explanation != IC_UNHELD) continue;
        if (ic_noise_shows(k) && stays_hidden(k, i)) {
            in_doubt++;
            continue;
        }
        const ic_breach b = ic_interval_breach(k, interval);
        if (count++ > 0 && fabs(b.value) * worst.tolerance <= fabs(worst.value) * b.tolerance) continue;
        worst = b;
        at = i;
    }
    ic_finding f = ic_finding_of(&ic_row_check_invariants, k, count > 0 ? fabs(worst.value) : 0,
                                 count > 0 ? worst.tolerance : 0, count > 0 ? worst.unit : "1");
    ic_finding_set_origin(&f, "%s, in the value", ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (count > 0) {
        const ic_interval *interval = &k->intervals[at];
        ic_finding_describe(
            &f,
            "%zu of %zu intervals move as in the mode '%s', but '%s' does not have the value that this mode keeps, "
            "worst at line %zu, t = %.9g s",
            count, k->n_intervals, k->problem->variant->modes[interval->mode].name, worst.name,
            k->trajectory->line[interval->from], k->trajectory->t[interval->from]);
    }
    if (count == 0 && in_doubt > 0) {
        ic_finding_leave_open(&f, "noise hides the mode of %zu intervals; less noise would decide", in_doubt);
    }
    ic_findings_add(findings, &f);
}
