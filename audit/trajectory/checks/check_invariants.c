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
 * Whether noise hides in which mode the rows are in consecutive intervals whose invariant does not hold: they are few, or
 * the case leads across all of them with its guards.
 */
static bool stays_hidden(const ic_tracking *k, const ic_interval *stay, size_t n)
{
    if (!ic_noise_shows(k)) return false;
    return ic_noise_hides(k) || n < LEAST_STAY ||
           ic_follow_between(k, stay[0].from, stay[n - 1].to).explanation < IC_UNEXPLAINED;
}

/* The interval with the worst breach, which `worst` receives. */
static const ic_interval *worst_of(ic_breach *worst, const ic_tracking *k, const ic_interval *stay, size_t n,
                                   const ic_interval *before)
{
    const ic_interval *at = before;
    for (size_t i = 0; i < n; i++) {
        const ic_breach b = ic_interval_breach(k, &stay[i]);
        if (at != NULL && fabs(b.value) * worst->tolerance <= fabs(worst->value) * b.tolerance) continue;
        *worst = b;
        at = &stay[i];
    }
    return at;
}

void ic_audit_invariants(ic_findings *findings, const ic_tracking *k)
{
    ic_breach worst = {.tolerance = 1};
    const ic_interval *interval = NULL;
    size_t count = 0, in_doubt = 0;
    for (size_t i = 0, n = 0; i < k->n_intervals; i += n + 1) {
        const ic_interval *stay = &k->intervals[i];
        for (n = 0; i + n < k->n_intervals && stay[n].explanation == IC_UNHELD;) n++;
        if (n > 0 && stays_hidden(k, stay, n)) {
            in_doubt += n;
            continue;
        }
        interval = worst_of(&worst, k, stay, n, interval);
        count += n;
    }
    ic_finding f = ic_finding_of(&ic_row_check_invariants, k, count > 0 ? fabs(worst.value) : 0,
                                 count > 0 ? worst.tolerance : 0, count > 0 ? worst.unit : "1");
    ic_finding_set_origin(&f, "%s, in the value", ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (interval != NULL) {
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
