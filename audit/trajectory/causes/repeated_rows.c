/* SPDX-License-Identifier: MIT */
/*
 * Rows, or a column, that are those of earlier rows digit by digit, where the case moves, and rows that the case passes
 * by: it leads from those before to those after them; and rows on lines between other rows.
 */
#include "audit/trajectory/checks/checks.h"
#include "core/names.h"

#include <math.h>

enum {
    /* Least number of rows of a block that stands in the file twice, and of those in which a column is frozen. */
    LEAST_BLOCK = 4,
    LEAST_FROZEN = 8,
    /* Most intervals across which the case is followed. */
    MOST_PASSED = 150,
    LEAST_PASSED = 2,
};

/* Tolerances by which a row is far from where the case leads. */
#define FAR 30.0

/* Tolerances by which noise at the start moves the end. */
#define HEALED 2.0

static bool is_recorded(const ic_trajectory *tr, size_t j)
{
    return tr->source[j] == IC_FROM_FILE;
}

static bool are_equal(const ic_trajectory *tr, size_t a, size_t b)
{
    bool equal = true;
    for (size_t j = 0; j < tr->n_states && equal; j++)
        equal = !is_recorded(tr, j) || tr->x[a * tr->n_states + j] == tr->x[b * tr->n_states + j];
    return equal;
}

/* Number of rows from `row` on that are those from `earlier` on, and differ from each other. */
static size_t count_repeated(const ic_trajectory *tr, size_t row, size_t earlier)
{
    size_t n = 0;
    bool moves = false;
    for (; row + n < tr->n && earlier + n < row && are_equal(tr, row + n, earlier + n); n++)
        moves = moves || (n > 0 && !are_equal(tr, row + n, row));
    return moves ? n : 0;
}

/* Number of rows from `row` on in which a column does not change, though it did before. */
static size_t count_frozen(const ic_trajectory *tr, size_t row, size_t j)
{
    const double *x = tr->x + j;
    size_t n = 1;
    if (!is_recorded(tr, j) || row == 0 || x[(row - 1) * tr->n_states] == x[row * tr->n_states]) return 0;
    while (row + n < tr->n && x[(row + n) * tr->n_states] == x[row * tr->n_states]) n++;
    return n;
}

/* Whether the case does not lead from the one row of an interval to the other. */
static bool is_broken(const ic_interval *in)
{
    return in->explanation != IC_BY_GUARDS && in->explanation != IC_IN_DOUBT;
}

/* Whether every interval that the case does not explain touches the rows from `first` to `last`. */
static bool explains_all(const ic_tracking *k, size_t first, size_t last)
{
    bool all = true;
    for (size_t i = 0; i < k->n_intervals && all; i++) {
        const ic_interval *in = &k->intervals[i];
        all = !is_broken(in) || (in->to >= first && in->from <= last + 1);
    }
    return all;
}

static bool take_block(ic_findings *findings, ic_finding *own, const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    for (size_t earlier = 0; earlier < row; earlier++) {
        const size_t n = count_repeated(tr, row, earlier);
        if (n < LEAST_BLOCK || !explains_all(k, row, row + n - 1)) continue;
        ic_cause_alone(findings, own, IC_MISTAKE_ROWS_GARBAGE);
        ic_finding_append(own, ". Lines %zu to %zu have the numbers of lines %zu to %zu", tr->line[row],
                          tr->line[row + n - 1], tr->line[earlier], tr->line[earlier + n - 1]);
        return true;
    }
    return false;
}

static bool take_frozen(ic_findings *findings, ic_finding *own, const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    for (size_t j = 0; j < tr->n_states; j++) {
        const size_t n = count_frozen(tr, row, j);
        if (n < LEAST_FROZEN || ic_state_is_discrete(k->problem->system, j) ||
            !explains_all(k, row, row + n - 1))
            continue;
        ic_cause_alone(findings, own, IC_MISTAKE_STALE_STATE);
        ic_finding_append(own, ". '%s' does not change from line %zu to line %zu",
                          k->problem->system->states[j].name, tr->line[row], tr->line[row + n - 1]);
        return true;
    }
    return false;
}

/*
 * Whether the case, with its events, leads from interval `first` to the end of interval `last`, and most rows between
 * are far from there.
 */
static bool are_passed(const ic_tracking *k, size_t first, size_t last)
{
    ic_interval whole = k->intervals[first];
    size_t far = 0;
    whole.to = k->intervals[last].to;
    whole.explanation = IC_BY_GUARDS;
    for (size_t i = first; i < last; i++) far += !ic_row_is_led_to(k, &whole, k->intervals[i].to, FAR);
    return far >= LEAST_PASSED && 2 * far > last - first && ic_row_is_led_to(k, &whole, whole.to, HEALED);
}

/* Several rows behind the start of interval `first`, which nothing but a return to the case's own motion ends. */
static void take_passed(ic_findings *findings, ic_finding *own, const ic_tracking *k, size_t first)
{
    const size_t *line = k->trajectory->line;
    const ic_interval *before = &k->intervals[first];
    for (size_t i = first + 2; i < k->n_intervals && i <= first + MOST_PASSED; i++) {
        const ic_interval *after = &k->intervals[i];
        if (after->from != k->intervals[i - 1].to) return;
        if (!explains_all(k, before->to, after->from) || !ic_heals_across(k, before, after)) continue;
        if (!are_passed(k, first, i)) return;
        ic_cause_alone(findings, own, IC_MISTAKE_ROWS_GARBAGE);
        ic_finding_append(own, ". The case leads from line %zu to line %zu, and not to the lines between",
                          line[before->from], line[after->to]);
        return;
    }
}

/* ---- rows between those of a run with longer steps */

/* Part of the rows that are on such lines if all are interpolated, from one and a half to each row of the run on. */
#define INTERPOLATED 0.15

/* Roundings by which the case leaves the line. */
#define LEAVES_LINE 20.0

/* Whether a row is on the line between its neighbours, although the case, in a mode, curves there. */
static bool is_on_line(const ic_tracking *k, int mode, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states;
    const double *t = &tr->t[row], dt = t[1] - t[-1], s = (t[0] - t[-1]) / dt;
    double rate[2][IC_MAX_STATES] = {{0}};
    bool curves = false;
    if (!(s > 0 && s < 1)) return false;
    for (size_t i = 0; i < 2; i++)
        k->problem->variant->modes[mode].flow(rate[i], t[i == 0 ? -1 : 1], &tr->x[(row + 2 * i - 1) * n],
                                              k->problem->par);
    for (size_t j = 0; j < n; j++) {
        if (!is_recorded(tr, j) || ic_state_is_discrete(k->problem->system, j)) continue;
        const double before = tr->x[(row - 1) * n + j], after = tr->x[(row + 1) * n + j];
        const double rounding = 1e-9 * k->range[j] + 2 * k->rounding[j];
        if (!(fabs(ic_row_off_line(tr, row, j)) <= rounding)) return false;
        curves |=
            after != before && 0.5 * s * (1 - s) * dt * fabs(rate[1][j] - rate[0][j]) > LEAVES_LINE * rounding;
    }
    return curves;
}

void ic_cause_interpolated(ic_findings *findings, const ic_tracking *k)
{
    ic_finding *own = ic_findings_next_failed(findings, NULL);
    size_t count = 0, at = 0;
    if (own == NULL || own->cause == IC_MISTAKE_ROWS_GARBAGE || own->cause == IC_MISTAKE_STALE_STATE) return;
    for (size_t row = 1; row + 1 < k->trajectory->n && k->n_intervals > 0; row++) {
        while (at + 1 < k->n_intervals && k->intervals[at].to < row) at++;
        count += is_on_line(k, k->intervals[at].mode, row);
    }
    if (!((double)count > INTERPOLATED * (double)k->trajectory->n)) return;
    ic_cause_alone(findings, own, IC_MISTAKE_COARSE_STEPS);
    ic_finding_append(own, ". %zu of %zu rows are on the line between their neighbours, where the case curves",
                      count, k->trajectory->n);
}

void ic_cause_repeated(ic_findings *findings, const ic_tracking *k)
{
    ic_finding *own = ic_findings_next_failed(findings, NULL);
    size_t i = 0;
    while (i < k->n_intervals && !is_broken(&k->intervals[i])) i++;
    if (own == NULL || i == k->n_intervals || k->is_again) return;
    if (take_block(findings, own, k, k->intervals[i].to)) return;
    if (!take_frozen(findings, own, k, k->intervals[i].from)) take_passed(findings, own, k, i);
}
