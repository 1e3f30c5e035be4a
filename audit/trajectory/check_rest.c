/* SPDX-License-Identifier: MIT */
/*
 * Rest: while rigid bodies stay together, the gap between them is 0 and so is its rate. A program
 * that takes one step of free fall and puts the ball back shows v = -g h in each row of it, or
 * sinks. Rows in which free motion fits as well are no rest.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ic_audit_check check = {
    .name = "rest",
    .what =
        "rate of the gap while rigid bodies stay together, or how much the gap changes in that time per second",
    .why = "contact is held up by impacts, step by step, or by a penalty",
    .reference = "the case's contact mode: gap = 0, d gap/dt = 0",
};

/* Fewer rows are an impact, and no rest. */
enum { LEAST_ROWS = 6 };

typedef struct rest {
    double rate, tolerance, t; /* m/s, m/s, s; of the stay that is worst beside its tolerance */
    size_t stays;
} rest;

/* The gap's rate along free motion: as long as the gap is affine in the positions, a difference
   over the typical time is exact. */
static double gap_rate(double t, const double *x, const ic_tracking *k, const ic_output *gap, int free_mode)
{
    double f[IC_MAX_STATES] = {0}, moved[IC_MAX_STATES];
    const double *par = k->problem->par, delta = k->spacing;
    const size_t n = k->trajectory->n_states;
    k->problem->variant->modes[free_mode].flow(f, t, x, par);
    for (size_t j = 0; j < n; j++) moved[j] = x[j] + delta * f[j];
    return (gap->value(t, moved, free_mode, par) - gap->value(t, x, free_mode, par)) / delta;
}

/* What noise and the least accuracy of the states make of a rate of the gap. */
static double rate_tolerance(double t, const double *x, const ic_tracking *k, const ic_output *gap,
                             int free_mode)
{
    const double here = gap_rate(t, x, k, gap, free_mode);
    double moved[IC_MAX_STATES], sum = 0;
    memcpy(moved, x, k->trajectory->n_states * sizeof *x);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING) continue;
        moved[j] += k->tolerance[j]; /* noise and the accuracy, of an interval */
        const double off = gap_rate(t, moved, k, gap, free_mode) - here;
        sum += off * off;
        moved[j] = x[j];
    }
    return sqrt(sum);
}

static bool moves_freely(const ic_tracking *k, const ic_interval *interval, int free_mode)
{
    double x[IC_MAX_STATES];
    ic_prediction end;
    size_t worst;
    ic_interval_state(x, k, interval);
    ic_predict(&end, &k->predictor, false, k->trajectory->t[interval->from], x, free_mode,
               k->trajectory->t[interval->to]);
    return ic_interval_defect(k, interval, &end, &worst) <= 1;
}

/* Intervals first to last - 1 are of one stay. */
static void judge(rest *r, const ic_tracking *k, const ic_contact_view *view, const ic_output *gap,
                  size_t first, size_t last)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = last - first;
    size_t moving = 0;
    double mean = 0, tolerance = 0;
    if (n < LEAST_ROWS) return;
    for (size_t i = first; i < last; i++) {
        const ic_interval *interval = &k->intervals[i];
        const double t = tr->t[interval->from], *x = &tr->x[interval->from * tr->n_states];
        moving += moves_freely(k, interval, view->free);
        mean += gap_rate(t, x, k, gap, view->free) / (double)n;
        tolerance = fmax(tolerance, rate_tolerance(t, x, k, gap, view->free));
    }
    if (2 * moving > n) return;
    const size_t a = k->intervals[first].from, b = k->intervals[last - 1].to;
    const double time = tr->t[b] - tr->t[a], *par = k->problem->par;
    const double sunk = (gap->value(tr->t[b], &tr->x[b * tr->n_states], view->free, par) -
                         gap->value(tr->t[a], &tr->x[a * tr->n_states], view->free, par)) /
                        time;
    const double rate = fabs(sunk) > fabs(mean) ? sunk : mean;
    r->stays++;
    if (r->stays > 1 && fabs(rate) * r->tolerance <= fabs(r->rate) * tolerance) return;
    *r = (rest){.rate = rate, .tolerance = tolerance, .t = tr->t[a], .stays = r->stays};
}

void ic_audit_rest(ic_findings *findings, const ic_tracking *k)
{
    const ic_contact_view *view = k->problem->system->contact;
    rest r = {0};
    if (view == NULL || !view->rigid) return;
    const ic_output *gap = &k->problem->system->outputs[ic_output_find(k->problem->system, view->gap)];
    for (size_t i = 0, first = 0; i <= k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        const bool holds = i < k->n_intervals && interval->mode == view->contact && !interval->jumps &&
                           !interval->doubtful && interval->explanation < IC_IN_DOUBT &&
                           (i == first || k->intervals[i - 1].to == interval->from);
        if (holds) continue;
        judge(&r, k, view, gap, first, i);
        first = i + 1;
    }
    ic_finding f = ic_finding_of(&check, k, fabs(r.rate), r.tolerance, "m/s");
    snprintf(f.origin, sizeof f.origin, "%s, in the rate",
             ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (r.stays == 0) {
        f.verdict = IC_FINDING_OPEN;
        f.measured = f.tolerance = NAN;
        snprintf(f.detail, sizeof f.detail, "no rest in these rows");
    } else if (f.verdict == IC_FINDING_FAIL) {
        snprintf(f.detail, sizeof f.detail, "the gap has the rate %.3g m/s at rest, from t = %.9g s on", r.rate,
                 r.t);
        f.cause = IC_MISTAKE_DRIFTS_AT_REST;
    }
    ic_findings_add(findings, &f);
}
