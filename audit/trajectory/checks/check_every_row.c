/* SPDX-License-Identifier: MIT */
/*
 * Rows that belong to no motion: blocks, swapped and repeated rows, rows that blow up. No share of them is forgiven, and
 * rows between tracked ones are judged as well:
 *
 * - Where the case does not explain a run of intervals, but leads from the row before it to the row after it, the rows
 *   in between are wrong.
 * - A run that nothing leads across, or at an end of the rows, is wrong if the case, where it was followed until then,
 *   has no event and is off by many tolerances, or else if it is so in all of the run; unless another check has failed:
 *   it may be a consequence.
 * - Rows within an explained interval without an event lie on the cubic through its ends, with the rates there; those
 *   within one with events are followed one by one.
 *
 * A long file is tracked in blocks. Between these, an interval is followed if one of its rows is off the line between the
 * neighbours of that row.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tolerances: no right row is so far off where the case has no event. */
#define GROSS 100.0
/* Tolerances likewise: beside an event, contacts are short, and what is rounded in a time moves velocities far. */
#define NEAR_EVENTS 30.0
/* A row is followed if it is off the line between its neighbours by more than this part of its range. */
#define OFF_LINE 0.02
/* Most trials of a run, of runs, and of intervals between blocks. */
enum { MOST_ACROSS = 24, MOST_TRIALS = 400, MOST_SUSPECTS = 2000, MOST_FOLLOWED = 20000 };
/* One interval in so many may be unexplained where rows are said to be wrong. */
enum { MOST_PARTS = 10 };

typedef struct wrong_rows {
    const ic_tracking *k;
    size_t count, first, last;

    /* unexplained intervals that no such row explains */
    size_t left;

    /* no other check has failed */
    bool alone;

    /* predictions across runs so far */
    size_t trials;

    /* rows that were followed one by one */
    size_t followed;
} wrong_rows;

static void add_rows(wrong_rows *w, size_t first, size_t last)
{
    if (w->count == 0 || first < w->first) w->first = first;
    if (w->count == 0 || last > w->last) w->last = last;
    w->count += last - first + 1;
}

/* ---- runs */

/* Whether a row is many ranges away from all others. */
static bool is_far_out(const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    for (size_t j = 0; j < tr->n_states; j++) {
        if (tr->source[j] == IC_FROM_FILE &&
            fabs(tr->x[row * tr->n_states + j] - k->centre[j]) > IC_FAR_OUT * k->range[j])
            return true;
    }
    return false;
}

/* From there on the case may have events, or cannot be followed. */
static bool leaves_far_out(const ic_tracking *k, const ic_interval *interval)
{
    return is_far_out(k, interval->to) || is_far_out(k, interval->from);
}

static bool is_wrong(const ic_tracking *k, const ic_interval *interval, double least)
{
    return interval->explanation == IC_UNEXPLAINED &&
           ((!interval->gave_up && interval->due == 0 && interval->defect > least) ||
            leaves_far_out(k, interval));
}

static bool is_gross(const ic_tracking *k, const ic_interval *run, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_wrong(k, &run[i], GROSS)) return false;
    }
    return true;
}

/* Whether the case, which was followed until then, has no event in an interval and ends far off. */
static bool is_left(const ic_tracking *k, const ic_interval *interval)
{
    return !interval->unknown && is_wrong(k, interval, GROSS);
}

/*
 * A run of intervals that are not explained: leaves out rows from its start on until the case leads across, again and
 * again.
 */
static void judge_run(wrong_rows *w, const ic_interval *run, size_t n)
{
    const ic_tracking *k = w->k;
    const bool at_start = run[0].from == k->rows[0], at_end = run[n - 1].to == k->rows[k->n_rows - 1];
    size_t i = 0;
    while (i + 1 < n) {
        size_t across = 0;
        for (size_t m = i + 1; m < n && m - i <= MOST_ACROSS && across == 0 && w->trials < MOST_TRIALS; m++) {
            w->trials++;
            if (is_wrong(k, &run[i], ic_tolerance_wrong_row.value) && ic_heals_across(k, &run[i], &run[m]))
                across = m;
        }
        if (across == 0) break;
        add_rows(w, run[i].to, run[across].from);
        i = across + 1;
    }
    const bool explodes = at_end && i < n && leaves_far_out(k, &run[n - 1]);
    w->left += explodes ? 0 : n - i;
    if (i == n || !(w->alone || explodes) || !(is_left(k, &run[i]) || is_gross(k, &run[i], n - i))) return;
    if (at_start && i == 0) add_rows(w, run[0].from, run[n - 1].from);
    else
        add_rows(w, run[i].to,
                 at_end                        ? k->trajectory->n - 1
                 : run[n - 1].from > run[i].to ? run[n - 1].from
                                               : run[i].to);
}

/* The runs of a list of intervals, in order. */
static void judge_runs(wrong_rows *w, const ic_interval *intervals, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t end = i;
        while (end < n && intervals[end].explanation == IC_UNEXPLAINED &&
               (end == i || intervals[end].from == intervals[end - 1].to))
            end++;
        if (end > i) judge_run(w, &intervals[i], end - i);
        i = end > i ? end - 1 : i;
    }
}

/* ---- rows between tracked ones */

/* The rates at a row, as the interval's mode gives them. */
static void rates_at(double *f, double *x, const ic_tracking *k, const ic_interval *interval, size_t row,
                     int mode)
{
    ic_interval at = *interval;
    at.from = row;
    ic_interval_state_in(x, k, &at, mode);
    memset(f, 0, IC_MAX_STATES * sizeof *f);
    k->problem->variant->modes[mode].flow(f, k->trajectory->t[row], x, k->problem->par);
}

/* Whether the case leads to a row within an interval from its start, `shift` after the row's time. */
static bool is_led_to_at(const ic_tracking *k, const ic_interval *interval, size_t row, double shift,
                         double most)
{
    const ic_trajectory *tr = k->trajectory;
    double x[IC_MAX_STATES], slack[IC_MAX_STATES];
    ic_interval part = *interval;
    ic_prediction end;
    part.to = row;
    part.shift_to = shift;
    ic_interval_state(x, k, &part);
    ic_interval_predict(&end, k, &part, part.mode, part.explanation < IC_WITHOUT_EVENTS);
    if (!end.good) return true;
    ic_time_slack(slack, k, part.from, x, part.mode, row, &end);
    for (size_t j = 0; j < tr->n_states; j++) {
        const double is = tr->x[row * tr->n_states + j];
        if (tr->source[j] == IC_FROM_FILE && !ic_is_whole(k, j, is) &&
            !(fabs(is - end.x[j]) <= most * (k->tolerance[j] + slack[j])))
            return false;
    }
    return true;
}

/*
 * Whether noise hides the mode of an interval, which may begin with an event, and the case leads to a row of it from
 * the one before.
 */
static bool is_in_hidden_mode(const ic_tracking *k, const ic_interval *interval, size_t row)
{
    ic_interval whole = *interval;
    ic_mode_trial h;
    whole.tracked = whole.mode;
    const bool hidden =
        ic_noise_is_there(k) && (interval->explanation == IC_ANOTHER_MODE || ic_row_is_between_steps(k, row) ||
                                 ic_start_at_guard(&h, k, &whole, false));
    return hidden && ic_follow_between(k, row - 1, row).explanation < IC_UNEXPLAINED;
}

bool ic_row_is_led_to(const ic_tracking *k, const ic_interval *interval, size_t row, double most)
{
    const double t0 = k->trajectory->t[interval->from], t1 = k->trajectory->t[row],
                 near = IC_AT_ONCE * (t1 - t0) + ic_clock_doubt(&k->clock, t0) + ic_clock_doubt(&k->clock, t1);
    return is_led_to_at(k, interval, row, 0, most) || is_led_to_at(k, interval, row, -near, most) ||
           is_led_to_at(k, interval, row, near, most) || is_in_hidden_mode(k, interval, row);
}

/* Wrong rows within an interval in which the case moves by one flow. */
static void judge_between(wrong_rows *w, const ic_interval *interval)
{
    const ic_tracking *k = w->k;
    const ic_trajectory *tr = k->trajectory;
    double f[2][IC_MAX_STATES], x[2][IC_MAX_STATES];
    const double t0 = tr->t[interval->from], h = tr->t[interval->to] - t0;
    if (interval->to - interval->from < 2 || !(h > 0)) return;
    rates_at(f[0], x[0], k, interval, interval->from, interval->mode);
    rates_at(f[1], x[1], k, interval, interval->to, interval->mode);
    for (size_t row = interval->from + 1; row < interval->to; row++) {
        const double s = (tr->t[row] - t0) / h, r = 1 - s;
        double worst = s >= 0 && s <= 1 ? 0 : INFINITY;
        for (size_t j = 0; j < tr->n_states; j++) {
            if (tr->source[j] != IC_FROM_FILE || ic_is_whole(k, j, x[0][j])) continue;
            const double cubic = r * r * (1 + 2 * s) * x[0][j] + s * s * (1 + 2 * r) * x[1][j] +
                                 h * s * r * (r * f[0][j] - s * f[1][j]);
            const double slack =
                fabs(f[0][j]) * (ic_clock_doubt(&k->clock, t0) + ic_clock_doubt(&k->clock, tr->t[row]));
            worst = fmax(worst, fabs(tr->x[row * tr->n_states + j] - cubic) / (k->tolerance[j] + slack));
        }
        if (worst <= ic_tolerance_wrong_row.value) continue;
        /* the motion may be faster than the rows */
        if (s <= 0 || s > 1 ||
            (w->followed++ < MOST_FOLLOWED &&
             !ic_row_is_led_to(k, interval, row, ic_tolerance_wrong_row.value)))
            add_rows(w, row, row);
    }
}

/*
 * Whether a row goes on as if the event had not happened yet, or leads to the end of the interval as if it had, also if
 * that is late or early by what is accepted.
 */
static bool is_on_other_side(const ic_tracking *k, const ic_interval *interval, size_t row)
{
    const double late = ic_tolerance_event_time.value * k->accept * k->spacing;
    ic_interval part = *interval;
    if (is_led_to_at(k, &part, row, late, NEAR_EVENTS) || is_led_to_at(k, &part, row, -late, NEAR_EVENTS))
        return true;
    part.explanation = IC_WITHOUT_EVENTS;
    if (is_led_to_at(k, &part, row, 0, NEAR_EVENTS)) return true;
    part.from = row;
    part.mode = interval->end_mode;
    return is_led_to_at(k, &part, interval->to, 0, NEAR_EVENTS);
}

/*
 * Wrong rows within an interval with events, in files without visible noise. A single row may be on the other side of an
 * event than in the case, and rows at the instant of an event are.
 */
static void judge_around_events(wrong_rows *w, const ic_interval *interval)
{
    const double *t = w->k->trajectory->t;
    size_t run = 0;
    for (size_t row = interval->from + 1; row <= interval->to; row++) {
        const bool at_event = row < interval->to && (t[row] == t[row - 1] || t[row] == t[row + 1]);
        const bool wrong = row < interval->to && !at_event && w->followed++ < MOST_FOLLOWED &&
                           !ic_row_is_led_to(w->k, interval, row, NEAR_EVENTS);
        if (!wrong && (run > 1 || (run == 1 && !is_on_other_side(w->k, interval, row - 1))))
            add_rows(w, row - run, row - 1);
        run = wrong ? run + 1 : 0;
    }
}

static bool has_one_flow(const ic_interval *interval)
{
    return interval->explanation < IC_UNHELD && !interval->jumps && interval->due == 0 && !interval->doubtful &&
           interval->mode == interval->end_mode;
}

/* ---- rows between tracked blocks */

/* Whether a row is on the line between the tracked rows around it. */
static bool is_on_line(const ic_tracking *k, size_t i)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states, a = k->rows[i - 1], b = k->rows[i], c = k->rows[i + 1];
    const double s = (tr->t[b] - tr->t[a]) / (tr->t[c] - tr->t[a]);
    for (size_t j = 0; j < n; j++) {
        const double line = tr->x[a * n + j] + s * (tr->x[c * n + j] - tr->x[a * n + j]);
        if (tr->source[j] == IC_FROM_FILE &&
            fabs(tr->x[b * n + j] - line) >
                OFF_LINE * k->range[j] + ic_tolerance_wrong_row.value * k->tolerance[j])
            return false;
    }
    return true;
}

/* Follows the intervals beside such rows. */
static bool judge_between_blocks(wrong_rows *w)
{
    const ic_tracking *k = w->k;
    if (k->n_intervals + 1 >= k->n_rows || ic_remembers_contact(k)) return true;
    ic_interval *suspects = malloc(MOST_SUSPECTS * sizeof *suspects);
    if (suspects == NULL) return false;
    size_t n = 0, next = 0, begin = 0; /* the first interval that was not followed yet */
    for (size_t i = 1; i + 1 < k->n_rows && n + 2 < MOST_SUSPECTS; i++) {
        while (next + 1 < k->n_intervals && k->intervals[next].to < k->rows[i]) next++;
        const bool tracked = k->intervals[next].to == k->rows[i];
        if (tracked || is_on_line(k, i)) continue;
        for (size_t m = begin > i - 1 ? begin : i - 1; m <= i; m++) {
            suspects[n] = ic_follow_between(k, k->rows[m], k->rows[m + 1]);
            n += suspects[n].explanation == IC_UNEXPLAINED;
        }
        begin = i + 1;
    }
    judge_runs(w, suspects, n);
    free(suspects);
    return true;
}

/* ---- the check */

void ic_audit_every_row(ic_findings *findings, const ic_tracking *k)
{
    wrong_rows w = {.k = k, .alone = ic_findings_with(findings, IC_FINDING_FAIL) == 0};
    /* the rows are those of another case, or of another integrator */
    if (!w.alone && MOST_PARTS * ic_tracking_count(k, IC_UNEXPLAINED) > k->n_intervals) return;
    judge_runs(&w, k->intervals, k->n_intervals);
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (has_one_flow(&k->intervals[i])) judge_between(&w, &k->intervals[i]);
        else if (k->intervals[i].explanation <= IC_ANOTHER_MODE && !k->intervals[i].doubtful &&
                 !k->intervals[i].at_guard && !ic_noise_shows(k))
            judge_around_events(&w, &k->intervals[i]);
    }
    if (!judge_between_blocks(&w)) findings->no_memory = true;
    ic_finding f = ic_finding_of(&ic_row_check_every_row, k, (double)w.count, 0, "rows");
    ic_finding_set_origin(&f, "none; a row counts from %s on",
                          ic_tolerance_amount(&ic_tolerance_wrong_row, ic_tolerance_wrong_row.value).text);
    if (w.count > 0) {
        ic_finding_describe(&f, "from line %zu, t = %.9g s, to line %zu, t = %.9g s",
                            k->trajectory->line[w.first], k->trajectory->t[w.first],
                            k->trajectory->line[w.last], k->trajectory->t[w.last]);
        /* a block, across which the case leads, explains what its rows show */
        if (w.count > 1 ? w.alone || w.left == 0 : w.alone)
            f.cause = w.count > 1 ? IC_MISTAKE_ROWS_GARBAGE : IC_MISTAKE_ROW_CORRUPTED;
    }
    ic_findings_add(findings, &f);
}
