/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/track/track.h"
#include "core/model.h"
#include "core/names.h"
#include "core/numbers.h"

#include <stdlib.h>
#include <string.h>

/*
 * Number of intervals by which tolerances are calibrated; number of intervals at which the growth
 * of noise is probed, smaller if the noise is known and many readings are tried.
 */
enum { CALIBRATED = 200, PROBES = 20, FEW_PROBES = 4 };

/* Bound on the errors of an integrator in its worst tenth of intervals, relative to the others. */
#define SPREAD 30.0

/* The part of values at either end that may be outliers. */
#define OUTLIERS 0.05

/* ---- noise and ranges */

/*
 * A rounded number is known to half a unit of its last digit. Differences of rows do not show this
 * error if a number is constant over many rows and then changes by one digit.
 */
double ic_rows_rounding(const ic_trajectory *tr, size_t j)
{
    /* labels and switches have fewer different values, and digits */
    enum { LEAST_VALUES = 8, MANY_DIGITS = 5 };
    const ic_digits digits = ic_digits_of(&tr->x[j], tr->n, tr->n_states);
    double most = 0, seen[LEAST_VALUES];
    size_t values = 0;
    bool rounded = false;
    for (size_t i = 0; i < tr->n && (digits.significant > 0 || digits.single); i++) {
        const double x = tr->x[i * tr->n_states + j];
        size_t v = 0;
        while (v < values && seen[v] != x) v++;
        if (v == values && values < LEAST_VALUES) seen[values++] = x;
        most = fmax(most, fabs(x));
    }
    /* a constant of many digits may change by units of the last one, which no label does */
    const double rounding = most > 0 ? ic_digits_rounding(&digits, most) : 0;
    for (size_t v = 0; v < values * values && digits.significant >= MANY_DIGITS; v++) {
        const double apart = fabs(seen[v / values] - seen[v % values]);
        rounded |= apart > 0 && apart < 5 * rounding && seen[v / values] != nearbyint(seen[v / values]);
    }
    return values == LEAST_VALUES || rounded ? rounding : 0;
}

/* The range of n values, which it sorts, and its middle. A few that are far from all others do not count. */
static double range_of(double *centre, double *values, size_t n)
{
    *centre = 0;
    if (n == 0) return 0;
    qsort(values, n, sizeof *values, ic_compare_numbers);
    const size_t out = (size_t)(OUTLIERS * (double)n);
    const double all = values[n - 1] - values[0], most = values[n - 1 - out] - values[out];
    *centre = (values[n - 1 - out] + values[out]) / 2;
    return all <= IC_FAR_OUT * most || most == 0 ? all : most;
}

bool ic_rows_measure(ic_tracking *k, const double *noise)
{
    const ic_trajectory *tr = k->trajectory;
    double *values = malloc((tr->n + 1) * sizeof *values);
    if (values == NULL) return false;
    for (size_t j = 0; j < tr->n_states; j++) {
        for (size_t i = 0; i < tr->n; i++) values[i] = tr->x[i * tr->n_states + j];
        k->range[j] = range_of(&k->centre[j], values, tr->n);
    }
    free(values);
    for (size_t j = 0; j < tr->n_states; j++) {
        k->rounding[j] = ic_rows_rounding(tr, j);
        if (noise != NULL) k->noise[j] = noise[j];
        else if (!ic_noise_estimate(&k->noise[j], tr, j)) return false;
        /* rounding errors are distributed uniformly */
        k->noise[j] = fmax(k->noise[j], k->rounding[j] / sqrt(3));
    }
    double *steps = malloc((k->n_intervals + 1) * sizeof *steps);
    if (steps == NULL) return false;
    for (size_t i = 0; i < k->n_intervals; i++)
        steps[i] = tr->t[k->intervals[i].to] - tr->t[k->intervals[i].from];
    k->spacing = ic_audit_median(steps, k->n_intervals);
    free(steps);
    k->clock = ic_clock_of(tr, k->rows, k->n_rows, k->spacing);
    return true;
}

/*
 * A memory gets the noise and the range of the state that it remembers: the noisiest one with the
 * same unit.
 */
static void fill_memory(ic_tracking *k, size_t j)
{
    const ic_state *states = k->problem->system->states;
    for (size_t i = 0; i < k->trajectory->n_states; i++) {
        if (k->trajectory->source[i] == IC_FROM_TRACKING || strcmp(states[i].unit, states[j].unit) != 0)
            continue;
        if (k->noise[i] >= k->noise[j]) k->noise[j] = k->noise[i], k->range[j] = k->range[i];
    }
}

/*
 * If a state varies by no more than its noise, its scale in the case replaces its range. The values of a discrete state are
 * at least 1 apart, also where most rows have the same.
 */
static void fill_ranges(ic_tracking *k)
{
    const double moves = 12; /* deviations: pure noise of 10 000 rows has a range of 8 */
    double scale[IC_MAX_STATES];
    ic_state_scales(k->problem, scale);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING) fill_memory(k, j);
        if (!(k->range[j] > moves * k->noise[j])) k->range[j] = fmax(k->range[j], scale[j]);
        if (ic_state_is_discrete(k->problem->system, j)) k->range[j] = fmax(k->range[j], 1);
    }
}

/* ---- tolerances */

/*
 * Raises `deviation` of the state after an interval to the effect that noise of the first row has
 * in the worst mode.
 */
static void amplify_noise(ic_tracking *k, ic_interval *interval, const double *noise, double *deviation)
{
    const size_t n = k->trajectory->n_states;
    for (size_t m = 0; m < k->predictor.guarded.variant->n_modes; m++) {
        double x[IC_MAX_STATES], sum[IC_MAX_STATES] = {0};
        ic_prediction plain, moved;
        const double t0 = k->trajectory->t[interval->from], t1 = k->trajectory->t[interval->to];
        interval->mode = (int)m;
        ic_interval_state(x, k, interval);
        ic_predict(&plain, &k->predictor, false, t0, x, (int)m, t1);
        for (size_t j = 0; j < n; j++) {
            const double kept = x[j], delta = 1e-4 * k->range[j];
            if (noise[j] == 0 || ic_is_memory(k, j) || ic_is_whole(k, j, kept)) continue;
            x[j] += delta;
            ic_predict(&moved, &k->predictor, false, t0, x, (int)m, t1);
            x[j] = kept;
            for (size_t i = 0; i < n && plain.good && moved.good; i++) {
                const double part = (moved.x[i] - plain.x[i]) / delta * noise[j];
                sum[i] += part * part;
            }
        }
        for (size_t i = 0; i < n; i++) deviation[i] = fmax(deviation[i], sqrt(sum[i] + noise[i] * noise[i]));
    }
}

/*
 * Deviation of the defects of a state in the intervals for which mode m is the best explanation;
 * -1: there are too few.
 */
static double deviation_in_mode(const double *defects, const int *mode, size_t n, int m, double *values)
{
    enum { LEAST = 10 };
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (mode[i] == m) values[count++] = defects[i];
    }
    /* Widened for few values by Student's quantile, as in audit/trajectory/input/impact_rows.c. */
    return count >= LEAST ? ic_audit_median(values, count) / IC_NORMAL_MEDIAN * (1 + 8 / (double)count) : -1;
}

/*
 * The accuracy, relative to the ranges, with which nine of ten intervals follow the case, times
 * SPREAD.
 */
static double own_accuracy(double *defects, size_t n)
{
    if (n < IC_LEAST_INTERVALS) return INFINITY;
    qsort(defects, n, sizeof *defects, ic_compare_numbers);
    return SPREAD * defects[9 * n / 10];
}

/*
 * Where rows are too far apart for differences, the defects of the best trials bound the noise. The
 * mode with the greater defects counts.
 */
static bool calibrate_noise(ic_tracking *k, double *deviation, bool sharpens)
{
    const size_t n = k->trajectory->n_states, stride = k->n_intervals / CALIBRATED + 1;
    double *defects = malloc((CALIBRATED + 1) * n * sizeof *defects), values[CALIBRATED], slacks[CALIBRATED],
           over_range[CALIBRATED], x[IC_MAX_STATES], slack[IC_MAX_STATES], over_slack = 0;
    int mode[CALIBRATED];
    size_t count = 0;
    if (defects == NULL) return false;
    for (size_t i = 0; i < k->n_intervals && count < CALIBRATED; i += stride) {
        ic_mode_trial h = {.defect = INFINITY};
        ic_mode_trial_best(&h, k, &k->intervals[i]);
        if (!h.end.good) continue;
        over_range[count] = slacks[count] = 0;
        ic_interval_state(x, k, &k->intervals[i]);
        ic_time_slack(slack, k, k->intervals[i].from, x, h.mode, k->intervals[i].to, &h.end);
        for (size_t j = 0; j < n; j++) {
            const double defect = fabs(h.end.x[j] - k->trajectory->x[k->intervals[i].to * n + j]);
            defects[j * CALIBRATED + count] = defect;
            if (ic_is_memory(k, j)) continue;
            over_range[count] = fmax(over_range[count], defect / k->range[j]);
            slacks[count] = fmax(slacks[count], slack[j] / k->range[j]);
            if (slack[j] > 0 && h.defect <= 1) over_slack = fmax(over_slack, defect / slack[j]);
        }
        mode[count++] = h.mode;
    }
    if (sharpens)
        k->accept =
            fmin(k->accept, fmax(ic_tolerance_accuracy_sharpened.value, own_accuracy(over_range, count)));
    /* With rounded times some state would be uncertain by more. */
    k->clock.rows_are_exact = count >= IC_LEAST_INTERVALS && over_slack < 0.05;
    k->slack = k->clock.rows_are_exact || count == 0 ? 0 : ic_audit_median(slacks, count);
    for (size_t j = 0; j < n; j++) {
        double most = -1;
        for (size_t m = 0; m < k->predictor.guarded.variant->n_modes; m++)
            most = fmax(most, deviation_in_mode(&defects[j * CALIBRATED], mode, count, (int)m, values));
        if (most >= 0) deviation[j] = fmin(deviation[j], most);
    }
    free(defects);
    return true;
}

static void find_sampling_errors(ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    for (size_t j = 0; j < tr->n_states; j++) {
        for (size_t i = 0; i < tr->n && tr->source[j] == IC_FROM_DIFFERENCES; i++)
            k->sampling[j] = fmax(k->sampling[j], ic_sampling_error(tr, i, j));
    }
}

bool ic_rows_set_tolerances(ic_tracking *k, bool sharpens, bool noise_is_known)
{
    const size_t probes = noise_is_known ? FEW_PROBES : PROBES;
    const size_t n = k->trajectory->n_states, stride = k->n_intervals / probes + 1;
    double deviation[IC_MAX_STATES] = {0}, sampling[IC_MAX_STATES] = {0};
    fill_ranges(k);
    find_sampling_errors(k);
    for (size_t j = 0; j < n; j++) k->tolerance[j] = k->accept * k->range[j];
    for (size_t i = 0; i < k->n_intervals; i += stride) {
        amplify_noise(k, &k->intervals[i], k->noise, deviation);
        amplify_noise(k, &k->intervals[i], k->sampling, sampling);
    }
    if (!calibrate_noise(k, deviation, sharpens)) return false;
    for (size_t j = 0; j < n; j++) {
        k->tolerance[j] = k->accept * k->range[j] + ic_tolerance_noise.value * deviation[j] + sampling[j];
        k->sampled[j] = sampling[j];
        k->deviation[j] = deviation[j];
        /* Between rows that are far apart curvature exceeds noise. */
        k->noise[j] = fmax(fmin(k->noise[j], deviation[j]), k->rounding[j] / sqrt(3));
    }
    return true;
}

/* ---- decisions that the accuracy permits */

bool ic_noise_shows(const ic_tracking *k)
{
    return ic_noise_exceeds(k, IC_NOISE_SHOWS);
}

bool ic_noise_is_there(const ic_tracking *k)
{
    return ic_noise_exceeds(k, 1e3 * IC_SPAN_ROUNDING);
}

bool ic_noise_hides(const ic_tracking *k)
{
    if (ic_times_hide(k) || ic_noise_is_rough(k)) return true;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) continue;
        if (ic_tolerance_noise.value * k->deviation[j] > ic_tolerance_noise_hides.value * k->range[j])
            return true;
    }
    return false;
}

bool ic_noise_is_rough(const ic_tracking *k)
{
    return ic_has_many_states(k) && ic_noise_exceeds(k, 5e-4);
}

bool ic_times_are_rounded(const ic_tracking *k)
{
    const double t = k->trajectory->n > 0 ? k->trajectory->t[k->trajectory->n - 1] : 0;
    return ic_clock_rounding(&k->clock, t) > 0 && !(k->clock.step > 0) && !k->clock.rows_are_exact;
}

bool ic_times_hide(const ic_tracking *k)
{
    return k->slack > ic_tolerance_noise_hides.value;
}
