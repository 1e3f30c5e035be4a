/* SPDX-License-Identifier: MIT */
/*
 * Rest: while rigid bodies stay together, the gap and its rate are 0. A program that takes one step
 * of free fall and puts the ball back shows v = -g h in each row, or lets it sink. Rows that free
 * motion also explains are not rest.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

/* Least number of rows of a dwell at rest; fewer rows are an impact. */
enum { LEAST_ROWS = 6 };

typedef struct rest {
    /* rates, m/s, and a time, s, of the worst dwell */
    double rate, tolerance, t;

    size_t dwells;
} rest;

/*
 * The rate of the gap along free motion; the difference over a row is exact for a gap affine in the
 * positions.
 */
static double gap_rate(double t, const double *x, const ic_tracking *k)
{
    double f[IC_MAX_STATES] = {0}, moved[IC_MAX_STATES];
    const ic_problem *problem = k->problem;
    problem->variant->modes[problem->system->contact->free].flow(f, t, x, problem->par);
    for (size_t j = 0; j < k->trajectory->n_states; j++) moved[j] = x[j] + k->spacing * f[j];
    return (ic_contact_gap(problem, t, moved) - ic_contact_gap(problem, t, x)) / k->spacing;
}

static double gap_at(double t, const double *x, const ic_tracking *k)
{
    return ic_contact_gap(k->problem, t, x);
}

/* Tolerance of the gap or of its rate, from the noise and the accepted accuracy. */
static double tolerance_of(double (*value)(double, const double *, const ic_tracking *), double t,
                           const double *x, const ic_tracking *k)
{
    const double here = value(t, x, k);
    double moved[IC_MAX_STATES], sum = 0;
    memcpy(moved, x, k->trajectory->n_states * sizeof *x);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING) continue;
        moved[j] += k->tolerance[j]; /* Noise and accuracy of an interval. */
        const double off = value(t, moved, k) - here;
        sum += off * off;
        moved[j] = x[j];
    }
    return sqrt(sum);
}

static bool moves_freely(const ic_tracking *k, const ic_interval *interval, int free_mode)
{
    ic_prediction end;
    size_t worst;
    ic_interval_predict(&end, k, interval, free_mode, false);
    return ic_interval_defect(k, interval, &end, &worst) <= 1;
}

/* Judge the dwell of intervals first to last - 1. */
static void judge_dwell(rest *r, const ic_tracking *k, size_t first, size_t last)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = last - first;
    size_t moving = 0;
    double mean = 0, tolerance = 0;
    if (n < LEAST_ROWS) return;
    for (size_t i = first; i < last; i++) {
        const ic_interval *interval = &k->intervals[i];
        const double t = tr->t[interval->from], *x = &tr->x[interval->from * tr->n_states];
        moving += moves_freely(k, interval, k->problem->system->contact->free);
        mean += gap_rate(t, x, k) / (double)n;
        tolerance = fmax(tolerance, tolerance_of(gap_rate, t, x, k));
    }
    if (2 * moving > n) return;
    const size_t a = k->intervals[first].from, b = k->intervals[last - 1].to;
    const double *end = &tr->x[b * tr->n_states], time = tr->t[b] - tr->t[a];
    const double sunk = (gap_at(tr->t[b], end, k) - gap_at(tr->t[a], &tr->x[a * tr->n_states], k)) / time;
    const double by_places = sqrt(2) * tolerance_of(gap_at, tr->t[b], end, k) / time;
    const bool by_end = fabs(sunk) * tolerance > fabs(mean) * fmax(tolerance, by_places);
    const double rate = by_end ? sunk : mean;
    tolerance = by_end ? fmax(tolerance, by_places) : tolerance;
    r->dwells++;
    if (r->dwells > 1 && fabs(rate) * r->tolerance <= fabs(r->rate) * tolerance) return;
    *r = (rest){.rate = rate, .tolerance = tolerance, .t = tr->t[a], .dwells = r->dwells};
}

void ic_audit_rest(ic_findings *findings, const ic_tracking *k)
{
    const ic_contact_view *view = k->problem->system->contact;
    rest r = {0};
    if (view == NULL || !view->rigid) return;
    for (size_t i = 0, first = 0; i <= k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        const bool holds = i < k->n_intervals && interval->mode == view->contact && !interval->jumps &&
                           !interval->doubtful && interval->explanation < IC_IN_DOUBT &&
                           (i == first || k->intervals[i - 1].to == interval->from);
        if (holds) continue;
        judge_dwell(&r, k, first, i);
        first = i + 1;
    }
    ic_finding f = ic_finding_of(&ic_row_check_rest, k, fabs(r.rate), r.tolerance, "m/s");
    ic_finding_set_origin(&f, "%s, in the rate", ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (r.dwells == 0) {
        f.measured = f.tolerance = NAN;
        ic_finding_leave_open(&f, "no dwell in contact is long enough, or free motion explains the rows too");
    } else if (f.verdict == IC_FINDING_FAIL) {
        ic_finding_describe(&f, "the gap has the rate %.3g m/s at rest, from t = %.9g s on", r.rate, r.t);
        f.cause = IC_MISTAKE_DRIFTS_AT_REST;
    }
    ic_findings_add(findings, &f);
}
