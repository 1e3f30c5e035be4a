/* SPDX-License-Identifier: MIT */
/* Single rows that are wrong: neither of the intervals beside such a row is explained, and the one over it is. */
#include "audit/rows/checks.h"

#include <math.h>
#include <stdio.h>

static const ic_audit_check check = {
    .name = "rows",
    .what = "rows that are wrong while those on both sides of them belong together",
    .why = "values were damaged, by hand, in printing or in transport",
    .reference =
        "local error over the row: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.3",
};

/* In tolerances of a local defect: noise has no such rows. */
#define STANDS_OUT 3

/* Whether the case leads from the row before over the wrong one to the row after. */
static bool healed(const ic_tracking *k, const ic_interval *before, const ic_interval *after)
{
    const ic_trajectory *tr = k->trajectory;
    const double *goal = &tr->x[after->to * tr->n_states];
    for (size_t i = 0; i < 2 * k->problem->variant->n_modes; i++) {
        double x[IC_MAX_STATES], worst = 0;
        ic_interval from = *before;
        ic_prediction p;
        from.mode = (int)(i / 2);
        ic_interval_state(x, k, &from);
        ic_predict(&p, &k->predictor, i % 2 == 0, tr->t[before->from], x, from.mode, tr->t[after->to]);
        if (!p.good) continue;
        for (size_t j = 0; j < tr->n_states; j++) {
            if (tr->source[j] != IC_FROM_TRACKING)
                worst = fmax(worst, fabs(p.x[j] - goal[j]) / k->tolerance[j]);
        }
        if (worst <= 2) return true; /* noise acts for twice as long */
    }
    return false;
}

void ic_audit_rows(ic_findings *findings, const ic_tracking *k)
{
    size_t wrong = 0, at = 0;
    for (size_t i = 0; i + 1 < k->n_intervals; i++) {
        const ic_interval *before = &k->intervals[i], *after = before + 1;
        if (before->due) continue; /* several events before the next row: nothing is told of it */
        if (before->explanation != IC_UNEXPLAINED || before->defect < STANDS_OUT || after->from != before->to)
            continue;
        if (after->explanation != IC_UNEXPLAINED || after->defect < STANDS_OUT || !healed(k, before, after))
            continue;
        if (wrong++ == 0) at = before->to;
    }
    ic_finding f = ic_finding_of(&check, k, (double)wrong, 0, "rows");
    snprintf(f.origin, sizeof f.origin,
             "none; a row counts from 3 tolerances of a local defect on both sides of it");
    if (wrong > 0) {
        snprintf(f.detail, sizeof f.detail, "the first is line %zu, t = %.9g s", k->trajectory->line[at],
                 k->trajectory->t[at]);
        f.cause = IC_MISTAKE_ROW_CORRUPTED;
    }
    /* where nothing fits anything, a row in the middle means nothing */
    if (wrong > 0 && 4 * wrong > k->n_intervals) f.verdict = IC_FINDING_OPEN, f.cause = IC_NO_MISTAKE;
    ic_findings_add(findings, &f);
}
