/* SPDX-License-Identifier: MIT */
/* Invariants: rows that follow the flow of a mode keep what that mode keeps. A ball that hovers
   does not rest on the floor. */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks.h"

#include <math.h>
#include <stdio.h>

static const ic_audit_check check = {
    .name = "invariants",
    .what = "greatest value of what a mode keeps (0, or a side), in rows that follow its flow",
    .why = "bodies rest, stick or touch where they do not meet",
    .reference = "the invariants of the case's modes",
    .needed = true,
};

/* With noise, fewer intervals one after the other may be of another mode, such as bounces among the
   last of many. */
enum { LEAST_STAY = 6 };

/* How many intervals around this one follow a mode whose invariant does not hold. */
static size_t stay_around(const ic_tracking *k, size_t i)
{
    size_t first = i, last = i;
    while (first > 0 && k->intervals[first - 1].explanation == IC_UNHELD) first--;
    while (last + 1 < k->n_intervals && k->intervals[last + 1].explanation == IC_UNHELD) last++;
    return last - first + 1;
}

static bool may_be_noise(const ic_tracking *k, size_t i)
{
    return ic_noise_shows(k) && (ic_noise_hides(k) || stay_around(k, i) < LEAST_STAY);
}

void ic_audit_invariants(ic_findings *findings, const ic_tracking *k)
{
    ic_breach worst = {.tolerance = 1};
    size_t count = 0, in_doubt = 0, at = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        if (interval->explanation != IC_UNHELD) continue;
        if (may_be_noise(k, i)) {
            in_doubt++;
            continue;
        }
        const ic_breach b = ic_interval_breach(k, interval);
        if (count++ > 0 && fabs(b.value) * worst.tolerance <= fabs(worst.value) * b.tolerance) continue;
        worst = b;
        at = i;
    }
    ic_finding f = ic_finding_of(&check, k, count > 0 ? fabs(worst.value) : 0, count > 0 ? worst.tolerance : 0,
                                 count > 0 ? worst.unit : "1");
    snprintf(f.origin, sizeof f.origin, "%s, in the value",
             ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (count > 0) {
        const ic_interval *interval = &k->intervals[at];
        snprintf(f.detail, sizeof f.detail,
                 "%zu of %zu intervals move as in the mode '%s', but '%s' is not what that mode keeps it at, "
                 "worst at line %zu, t = %.9g s",
                 count, k->n_intervals, k->problem->variant->modes[interval->mode].name, worst.name,
                 k->trajectory->line[interval->from], k->trajectory->t[interval->from]);
    }
    if (count == 0 && in_doubt > 0) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail,
                 "noise hides in which mode %zu intervals are; less of it would tell", in_doubt);
    }
    ic_findings_add(findings, &f);
}
