/* SPDX-License-Identifier: MIT */
/*
 * Single wrong rows: neither of the two intervals at such a row is explained, and the interval
 * across it is.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

/* Deviations of the noise: by chance, one row in 10^15 deviates by as much. */
#define ALONE 10.0
/*
 * Rows per typical time. Between events, closer rows lie nearly on a line, so that only a wrong row
 * deviates from it.
 */
#define CLOSE 20.0
/* Accepted deviation of the neighbours from their share, by noise and curvature. */
#define SHARE_OFF 0.15

bool ic_heals_across(const ic_tracking *k, const ic_interval *before, const ic_interval *after)
{
    const ic_trajectory *tr = k->trajectory;
    const double *goal = &tr->x[after->to * tr->n_states];
    for (size_t i = 0; i < 2 * k->problem->variant->n_modes; i++) {
        double x[IC_MAX_STATES], slack[IC_MAX_STATES], worst = 0;
        ic_prediction p;
        ic_interval_state_in(x, k, before, (int)(i / 2));
        ic_predict(&p, &k->predictor, i % 2 == 0, tr->t[before->from], x, (int)(i / 2), tr->t[after->to]);
        if (!p.good) continue;
        ic_time_slack(slack, k, before->from, x, (int)(i / 2), after->to, &p);
        for (size_t j = 0; j < tr->n_states; j++) {
            if (tr->source[j] != IC_FROM_TRACKING)
                worst = fmax(worst, fabs(p.x[j] - goal[j]) / (k->tolerance[j] + slack[j]));
        }
        if (worst <= 2) return true; /* Noise acts for twice as long. */
    }
    return false;
}

double ic_row_off_line(const ic_trajectory *tr, size_t row, size_t state)
{
    const double *t = &tr->t[row], *x = &tr->x[row * tr->n_states + state];
    const ptrdiff_t n = (ptrdiff_t)tr->n_states;
    if (!(t[-1] < t[0] && t[0] < t[1])) return NAN;
    return x[0] - (x[-n] + (x[n] - x[-n]) * (t[0] - t[-1]) / (t[1] - t[-1]));
}

/* The part of that distance that rounded times cause. */
static double off_by_times(const ic_tracking *k, size_t row, size_t state)
{
    const double *t = &k->trajectory->t[row];
    const size_t n = k->trajectory->n_states;
    const double *x = &k->trajectory->x[row * n + state];
    const double off = ic_clock_doubt(&k->clock, t[0]) + ic_clock_doubt(&k->clock, t[1]);
    return off * fabs(x[n] - *(x - n)) / (t[1] - t[-1]);
}

/*
 * Whether a single value is wrong. The lines of both neighbours, which end in it, then deviate to
 * the other side by a known share.
 */
static bool row_deviates(const ic_tracking *k, size_t row, size_t state)
{
    const ic_trajectory *tr = k->trajectory;
    const double own = ic_row_off_line(tr, row, state), before = ic_row_off_line(tr, row - 1, state),
                 after = ic_row_off_line(tr, row + 1, state);
    const double least = ALONE * k->noise[state] + k->accept * k->range[state] + off_by_times(k, row, state);
    if (!(fabs(own) > least) || isnan(before) || isnan(after)) return false;
    const double *t = &tr->t[row];
    const double share_before = (t[-1] - t[-2]) / (t[0] - t[-2]), share_after = (t[2] - t[1]) / (t[2] - t[0]);
    return fabs(before + share_before * own) < SHARE_OFF * fabs(own) &&
           fabs(after + share_after * own) < SHARE_OFF * fabs(own);
}

/*
 * Whether the case leads to the row from the last followed row, or, among rows that are not followed, from the row
 * before it. Consecutive bounces resemble an outlier.
 */
static bool is_led_to(const ic_tracking *k, size_t row, size_t *at)
{
    while (*at + 1 < k->n_intervals && k->intervals[*at].to < row) (*at)++;
    ic_interval before = k->intervals[*at];
    if (row <= before.from || row > before.to) {
        before.from = row - 1, before.to = row;
        return ic_heals_across(k, &before, &before);
    }
    /* noise of the first row may move the events beyond the row */
    if (row == before.to || before.explanation == IC_IN_DOUBT ||
        ((ic_noise_is_there(k) || ic_row_is_between_steps(k, row)) && ic_interval_has_event(&before)))
        return true;
    if (before.explanation > IC_IN_DOUBT) return false;
    return ic_row_is_led_to(k, &before, row, 1);
}

/* Counts outliers among rows that are too close to be followed. */
static size_t count_alone(const ic_tracking *k, size_t *first)
{
    const ic_trajectory *tr = k->trajectory;
    size_t count = 0, at = 0;
    for (size_t row = 2; row + 2 < tr->n; row++) {
        bool alone = false;
        if (tr->t[row + 2] - tr->t[row - 2] > k->time_scale / CLOSE) continue;
        for (size_t j = 0; j < tr->n_states && !alone; j++)
            alone = tr->source[j] == IC_FROM_FILE && row_deviates(k, row, j);
        if (alone && !is_led_to(k, row, &at) && count++ == 0) *first = row;
    }
    return count;
}

/*
 * Whether a row repeats the states of the row before at a later time, although the case moves by far more than the
 * tolerance in between.
 */
static bool is_stale(const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states;
    double f[IC_MAX_STATES], most = INFINITY;
    const double dt = tr->t[row] - tr->t[row - 1];
    if (!(dt > 0) || memcmp(&tr->x[row * n], &tr->x[(row - 1) * n], n * sizeof *tr->x) != 0) return false;
    /* In the mode that moves it least, apart from terminal ones. */
    for (size_t m = 0; m < k->problem->variant->n_modes; m++) {
        double moved = 0;
        if (!k->reached[m] || ic_mode_breach(k, (int)m, tr->t[row], &tr->x[row * n]).name != NULL) continue;
        memset(f, 0, sizeof f);
        k->problem->variant->modes[m].flow(f, tr->t[row], &tr->x[row * n], k->problem->par);
        for (size_t j = 0; j < n; j++) {
            if (tr->source[j] == IC_FROM_FILE) moved = fmax(moved, dt * fabs(f[j]) / k->tolerance[j]);
        }
        most = fmin(most, moved);
    }
    return isfinite(most) && most > ic_tolerance_wrong_row.value;
}

enum { RUN_AT_REST = 4 };

/* Counts rows that repeat the row before; 0 if a body rests. */
static size_t count_stale(const ic_tracking *k, size_t *first)
{
    size_t count = 0;
    const ic_trajectory *tr = k->trajectory;
    size_t run = 0; /* Many equal rows are a body at rest. */
    for (size_t row = 1; row < tr->n; row++) {
        const size_t n = tr->n_states;
        run = memcmp(&tr->x[row * n], &tr->x[(row - 1) * n], n * sizeof *tr->x) == 0 ? run + 1 : 0;
        if (run == RUN_AT_REST) return 0;
        if (run > 0 && is_stale(k, row) && count++ == 0) *first = row;
    }
    return count;
}

void ic_audit_rows(ic_findings *findings, const ic_tracking *k)
{
    size_t wrong = 0, at = 0;
    for (size_t i = 0; i + 1 < k->n_intervals; i++) {
        const ic_interval *before = &k->intervals[i], *after = before + 1;
        if (before->due > 1) continue; /* not judged */
        if (before->explanation != IC_UNEXPLAINED || before->defect < ic_tolerance_wrong_row.value ||
            after->from != before->to)
            continue;
        if (after->explanation != IC_UNEXPLAINED || after->defect < ic_tolerance_wrong_row.value ||
            !ic_heals_across(k, before, after))
            continue;
        if (wrong++ == 0) at = before->to;
    }
    size_t first = 0;
    const size_t alone =
        (k->n_rows == k->trajectory->n && k->n_intervals + 1 == k->n_rows) ? 0 : count_alone(k, &first);
    if (alone > 0 && (wrong == 0 || first < at)) at = first;
    wrong += alone;
    ic_finding f = ic_finding_of(&ic_row_check_rows, k, (double)wrong, 0, "rows");
    ic_finding_set_origin(&f, "none; a row counts from %s on both sides of it",
                          ic_tolerance_amount(&ic_tolerance_wrong_row, ic_tolerance_wrong_row.value).text);
    if (wrong > 0) {
        ic_finding_describe(&f, "the first is line %zu, t = %.9g s", k->trajectory->line[at],
                            k->trajectory->t[at]);
        f.cause = IC_MISTAKE_ROW_CORRUPTED;
    }
    /* Where far more intervals are unexplained than those at single rows, these are no mistake of their own. */
    if (ic_tracking_count(k, IC_UNEXPLAINED) > 4 * wrong) f.cause = IC_NO_MISTAKE;
    if (f.cause == IC_MISTAKE_ROW_CORRUPTED)
        ic_finding_append(&f, "; values were damaged by editing, printing or transfer");
    /* If the case explains no interval, single rows cannot be judged. */
    if (wrong > alone && 4 * (wrong - alone) > k->n_intervals)
        f.verdict = IC_FINDING_OPEN, f.cause = IC_NO_MISTAKE;
    const size_t stale = ic_noise_hides(k) ? 0 : count_stale(k, &at);
    if (stale > 0) {
        f.measured = (double)(wrong + stale);
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_STALE_STATE;
        ic_finding_describe(&f, "%zu rows have the states of the row before; the first is line %zu, t = %.9g s",
                            stale, k->trajectory->line[at], k->trajectory->t[at]);
    }
    ic_findings_add(findings, &f);
}
