/* SPDX-License-Identifier: MIT */
/*
 * For each interval between two rows: does one of the case's modes lead from the first row to the
 * second?
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

/* Share of intervals, per cent, from which on the cause affects all rows. */
#define EVERYWHERE 30.0

ic_finding ic_finding_of(const ic_audit_check *c, const ic_tracking *k, double measured, double tolerance,
                         const char *unit)
{
    ic_finding finding = {.check = c, .measured = measured, .tolerance = tolerance, .unit = unit};
    finding.verdict = measured <= tolerance ? IC_FINDING_PASS : IC_FINDING_FAIL;
    snprintf(finding.subject, sizeof finding.subject, "%s/%s", k->problem->system->name,
             k->problem->variant->name);
    return finding;
}

/*
 * With visible noise one of few intervals may be slightly off by chance: it counts from ten
 * deviations on.
 */
#define CLEAR 2.0
enum { FEW = 300 };

/* Whether an event is near: events have their own check. */
static bool near_event(const ic_tracking *k, size_t i)
{
    const size_t first = i > 0 ? i - 1 : 0, last = i + 1 < k->n_intervals ? i + 1 : i;
    for (size_t j = first; j <= last; j++) {
        const ic_interval *interval = &k->intervals[j];
        if (interval->due || interval->mode != k->intervals[i].mode || interval->explanation == IC_ANOTHER_MODE)
            return true;
    }
    return false;
}

/* Part of the case's defect. */
#define READ_EXACTLY 2e-3

/* Whether the rows follow another variant of the case, or nearly all of them: some rows around one of them, then all. */
static bool follows_variant(const ic_tracking *k, size_t row, char *detail, size_t size)
{
    const double most = 0.01 * ic_tolerance_spoilt_intervals.value;
    ic_problem other = *k->problem;
    ic_trajectory some;
    bool found = false;
    if (k->problem->system->n_variants < 2 || !ic_copy_some_rows(&some, k, row)) return false;
    for (size_t i = 0; i < k->problem->system->n_variants && !found && !ic_effort_is_spent(k->began); i++) {
        other.variant = &k->problem->system->variants[i];
        found = other.variant != k->problem->variant && other.variant->law == NULL &&
                ic_share_wrong(&some, &other, k, k->noise) <= most &&
                ic_share_wrong(k->trajectory, &other, k, k->noise) <= most;
    }
    if (found) snprintf(detail, size, "The rows follow the variant '%s'", other.variant->name);
    ic_trajectory_close(&some);
    return found;
}

/*
 * Seeks the cause: coarse steps, a misread file, or a parameter. `detail` receives its description.
 * `row` is the index of the tracked row around which the cause is sought.
 */
static ic_mistake_id likely_cause(const ic_tracking *k, const ic_parameter_fits *fits, bool everywhere,
                                  size_t row, char *detail, size_t size, ic_correction *correction)
{
    char read[256] = "";
    double left = 1;
    ic_correction read_again = {0};
    if (follows_variant(k, row, detail, size)) return IC_MISTAKE_ANOTHER_VARIANT;
    if (ic_find_units(k, detail, size, correction)) return IC_MISTAKE_UNITS_MIXED;
    const ic_mistake_id reading = ic_find_reading(k, read, sizeof read, &left, &read_again);
    ic_mistake_id cause = IC_NO_MISTAKE;
    /* A reading that leaves nearly nothing is more than a method of low order that comes near. */
    const bool exact = reading != IC_NO_MISTAKE && left < READ_EXACTLY;
    if (!exact && ic_find_coarse_steps(k, detail, size)) return IC_MISTAKE_COARSE_STEPS;
    if (everywhere && !exact) cause = ic_find_misreading(k, detail, size, correction);
    if (cause == IC_NO_MISTAKE && reading != IC_NO_MISTAKE) {
        snprintf(detail, size, "%s", read);
        *correction = read_again;
        return reading;
    }
    if (fits->finding.cause == IC_MISTAKE_PARAMETER_CHANGES) return cause; /* no single value does */
    if (cause == IC_NO_MISTAKE) cause = ic_find_wrong_parameter(k, fits, row, detail, size, correction);
    /* around the worst row another mistake may hide it */
    const size_t first = ic_first_unexplained(k);
    if (cause != IC_NO_MISTAKE || first == row) return cause;
    return ic_find_wrong_parameter(k, fits, first, detail, size, correction);
}

/*
 * Number of intervals before the case ends: rows in a terminal mode are not determined by the case.
 */
static size_t before_the_end(const ic_tracking *k)
{
    size_t count = 0;
    for (size_t i = 0; i < k->n_intervals; i++)
        count += !k->problem->variant->modes[k->intervals[i].mode].terminal;
    return count;
}

/*
 * Whether rows without a fault are too few or too noisy to decide, or leave interval `off` unexplained. The detail then
 * states which rows would decide.
 */
static bool leaves_open(ic_finding *f, const ic_tracking *k, size_t seen, size_t off)
{
    size_t worst = 0;
    if (before_the_end(k) < IC_LEAST_INTERVALS) {
        ic_finding_describe(f, "the case has ended in these rows; earlier rows would decide");
        return true;
    }
    if (seen < IC_LEAST_INTERVALS) {
        ic_finding_describe(
            f, "%zu intervals away from events; at least %d are needed: closer rows or a longer run", seen,
            IC_LEAST_INTERVALS);
        return true;
    }
    const size_t in_doubt = ic_tracking_count(k, IC_IN_DOUBT);
    if (100.0 * (double)in_doubt > ic_tolerance_spoilt_intervals.value * (double)k->n_intervals) {
        ic_finding_describe(
            f, "%zu intervals, most near events, may be explained by noise; less noise would decide", in_doubt);
        return true;
    }
    if (k->intervals[off].explanation == IC_UNEXPLAINED && k->intervals[off].defect > 1) {
        const ic_interval *at = &k->intervals[off];
        ic_finding_describe(
            f,
            "line %zu, t = %.9g s: %s is off by %.3g tolerances, in one of %zu such intervals; rows of "
            "a more accurate run, or closer ones, would decide",
            k->trajectory->line[at->to], k->trajectory->t[at->to], k->problem->system->states[at->worst].name,
            at->defect, ic_tracking_count(k, IC_UNEXPLAINED));
        return true;
    }
    if (!ic_noise_hides(k)) return false;
    if (ic_times_hide(k)) {
        ic_finding_describe(
            f, "rounded times leave the states uncertain by %.2g of their ranges; another digit would decide",
            k->slack);
        return true;
    }
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING) continue;
        if (k->deviation[j] * k->range[worst] > k->deviation[worst] * k->range[j]) worst = j;
    }
    ic_finding_describe(
        f,
        "the noise of %s contributes %.3g of its range within an interval, at %g deviations; rows would decide below %.2g",
        k->problem->system->states[worst].name,
        ic_tolerance_noise.value * k->deviation[worst] / k->range[worst], ic_tolerance_noise.value,
        ic_tolerance_noise_hides.value);
    return true;
}

/* Number of intervals too long to be followed. */
static size_t not_followed(const ic_tracking *k)
{
    size_t count = 0;
    for (size_t i = 0; i < k->n_intervals; i++) count += k->intervals[i].gave_up;
    return count;
}

/* Leaves the finding open if rows are too far apart to be followed. */
static void leave_open_what_is_too_long(ic_finding *f, const ic_tracking *k)
{
    f->measured = NAN;
    ic_finding_leave_open(f, "intervals of %.3g s are too long to be followed; rows %.3g s apart would decide",
                          k->spacing, k->time_scale);
}

/* Describes the worst interval, and what explains the failure. */
static void describe_failure(ic_finding *f, const ic_tracking *k, const ic_interval *at,
                             const ic_parameter_fits *fits, ic_correction *correction)
{
    char why[sizeof f->detail] = "";
    ic_finding_describe(f, "line %zu, t = %.9g s: ", k->trajectory->line[at->to], k->trajectory->t[at->to]);
    if (isfinite(at->defect))
        ic_finding_append(f, "%s is off by %.3g tolerances", k->problem->system->states[at->worst].name,
                          at->defect);
    else ic_finding_append(f, "no mode of the case can be followed to this row");
    f->cause = likely_cause(k, fits, f->measured > EVERYWHERE, ic_tracked_row(k, at->from), why, sizeof why,
                            correction);
    if (why[0] != '\0') ic_finding_append(f, ". %s", why);
}

void ic_audit_local_defect(ic_findings *findings, const ic_tracking *k, const ic_parameter_fits *fits,
                           ic_correction *correction)
{
    size_t seen = 0, wrong = 0, worst = 0;
    const double least = k->n_intervals < FEW && ic_noise_shows(k) ? CLEAR : 1;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const bool unexplained =
            k->intervals[i].explanation == IC_UNEXPLAINED && k->intervals[i].defect > least;
        if (near_event(k, i) && !(unexplained && k->intervals[worst].defect < 1)) {
            seen += unexplained ? 0 : 1;
            continue;
        }
        seen++;
        wrong += unexplained && !near_event(k, i);
        if (unexplained && k->intervals[i].defect > k->intervals[worst].defect) worst = i;
    }
    const size_t all_wrong = ic_tracking_count(k, IC_UNEXPLAINED);
    if (2 * all_wrong > k->n_intervals) wrong = all_wrong, seen = k->n_intervals;
    ic_finding f =
        ic_finding_of(&ic_row_check_local_defect, k, seen > 0 ? 100.0 * (double)wrong / (double)seen : 0,
                      ic_tolerance_spoilt_intervals.value, "%");
    ic_finding_set_origin(&f, "an interval counts from %s; %zu intervals of %.3g s",
                          ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text, k->n_intervals,
                          k->spacing);
    if (2 * not_followed(k) > k->n_intervals) {
        leave_open_what_is_too_long(&f, k);
    } else if (f.verdict == IC_FINDING_PASS && leaves_open(&f, k, seen, worst)) {
        f.verdict = IC_FINDING_OPEN;
    } else if (f.verdict == IC_FINDING_PASS) {
        ic_finding_describe(&f, "%zu of %zu intervals", wrong, seen);
    } else {
        describe_failure(&f, k, &k->intervals[worst], fits, correction);
    }
    ic_findings_add(findings, &f);
}
