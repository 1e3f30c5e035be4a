/* SPDX-License-Identifier: MIT */
/*
 * Rows that follow the case up to some time, or from some time on: does another value of a parameter explain the others?
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <string.h>

/* Part of the other rows that must not follow the changed case: a parameter that acts later is not one that changes. */
#define APART 0.1

/* The rows from one to another, which are not copied. */
static ic_trajectory part_of(const ic_trajectory *tr, size_t from, size_t to)
{
    ic_trajectory part = *tr;
    part.n = to - from + 1;
    part.t += from;
    part.x += from * tr->n_states;
    part.line += from;
    if (part.mode != NULL) part.mode += from;
    part.force = NULL;
    return part;
}

/* Whether other parameters explain the rows of a part, but not the others. */
static bool explains_part(ic_finding *own, const ic_tracking *k, const ic_trajectory *part,
                          const ic_trajectory *others)
{
    const ic_trajectory_options options = {.accept = k->accept, .time_scale = k->time_scale, .began = k->began};
    ic_tracking tracked;
    ic_parameter_fits fits = {0};
    ic_followed f = {0};
    if (!ic_track(&tracked, part, k->problem, k->noise, &options)) return false;
    if (ic_fit_parameters(&fits, &tracked, NULL)) ic_follow_parameters(&f, &tracked, &fits, &options);
    const double spoilt = 0.01 * ic_tolerance_spoilt_intervals.value;
    const bool right = f.n_changed > 0 && f.now <= spoilt + ic_tolerance_parameter_leaves.value * f.before &&
                       ic_share_wrong(others, &f.problem, k, k->noise) > APART;
    if (right) {
        const bool first = part->t < others->t;
        ic_finding_append(own, ". %s t = %.9g s the rows follow ", first ? "Until" : "From",
                          part->t[first ? part->n - 1 : 0]);
        ic_followed_append(own, &f);
        ic_finding_append(own, "; %s", first ? "then they follow the case" : "before, they follow the case");
    }
    ic_followed_close(&f);
    ic_parameter_fits_close(&fits);
    ic_tracking_close(&tracked);
    return right;
}

/* Whether no cause is known but a change that the fit of parameters shows, which is then that of all. */
static bool may_change(ic_findings *findings)
{
    ic_finding *fitted = NULL;
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (f->cause == IC_MISTAKE_PARAMETER_CHANGES) fitted = f;
        else if (ic_is_specific(f->cause) && f->cause != IC_MISTAKE_IMPACTS_UNEQUAL) return false;
    }
    if (fitted != NULL) ic_cause_alone(findings, fitted, IC_MISTAKE_PARAMETER_CHANGES);
    return true;
}

void ic_cause_changes(ic_findings *findings, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    ic_finding *own = ic_findings_find(findings, "local-defect");
    size_t first = k->n_intervals, last = 0;
    if (!may_change(findings)) return;
    if (own == NULL || own->verdict != IC_FINDING_FAIL || own->cause != IC_NO_MISTAKE) return;
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (k->intervals[i].explanation != IC_UNEXPLAINED) continue;
        first = first < i ? first : i;
        last = i;
    }
    for (int side = 0; side < 2; side++) {
        const size_t right = side == 0 ? first : k->n_intervals - 1 - last;
        if (right < IC_LEAST_INTERVALS || ic_effort_is_spent(k->began)) continue;
        const size_t cut = side == 0 ? k->intervals[first].from : k->intervals[last].to;
        const ic_trajectory before = part_of(tr, 0, cut), after = part_of(tr, cut, tr->n - 1);
        if (!explains_part(own, k, side == 0 ? &after : &before, side == 0 ? &before : &after)) continue;
        ic_cause_alone(findings, own, IC_MISTAKE_PARAMETER_CHANGES);
        return;
    }
}
