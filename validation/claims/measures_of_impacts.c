/* SPDX-License-Identifier: MIT */
#include "registry/registry.h"
#include "validation/claims/measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- extremes of the run from the start */

bool ic_measure_peak(double *value, const ic_measurement *b)
{
    const ic_problem *problem = &b->subject->setup.problem;
    ic_options options = b->subject->options;
    options.extremes = true;
    ic_log *log = ic_measurement_run(b, problem, b->subject->solver, &options);
    if (log == NULL) return false;
    const ic_extreme extreme = ic_log_extreme(log, ic_output_find(problem->system, b->call->arguments[1]));
    *value = ic_argument_is(b, 2, "min") ? extreme.min : extreme.max;
    ic_log_free(log);
    return true;
}

/* ---- single impacts */

bool ic_measure_crossing_rate(double *value, const ic_measurement *b)
{
    size_t index = 0;
    if (!ic_nth_event(&index, b, -1)) return false;
    const ic_event event = ic_log_event_at(b->log, index);
    const ic_setup *setup = &b->subject->setup;
    const ic_mode *mode = &setup->problem.variant->modes[event.mode_from];
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (strcmp(mode->guards[i].name, event.name) != 0) continue;
        *value = mode->guards[i].rate(event.t, ic_argument_is(b, 3, "before") ? event.x_pre : event.x_post,
                                      setup->par);
        return true;
    }
    return ic_measurement_fail(b, "no guard fires ", event.name);
}

bool ic_measure_mean_rate(double *value, const ic_measurement *b)
{
    const int mode = ic_argument_mode(b, 1);
    size_t index = 0;
    if (!ic_nth_event(&index, b, mode)) return false;
    const ic_event in = ic_log_event_at(b->log, index);
    for (size_t i = index + 1; i < ic_log_event_count(b->log); i++) {
        const ic_event out = ic_log_event_at(b->log, i);
        if (out.mode_to == mode) continue;
        *value =
            (ic_argument_value(b, 3, out.t, out.x_pre, mode) - ic_argument_value(b, 3, in.t, in.x_post, mode)) /
            (out.t - in.t);
        return true;
    }
    return ic_measurement_fail(b, "the run does not leave mode ", b->call->arguments[1]);
}

/* ---- groups of impacts */

bool ic_measure_groups(double *value, const ic_measurement *b)
{
    double pause = 0, last = -INFINITY;
    const ic_log *run = b->log;
    if (!ic_expression_number(&pause, b->call->arguments[2], NULL, b->error)) return false;
    *value = 0;
    for (size_t i = 0; i < ic_log_event_count(run); i++) {
        const ic_event event = ic_log_event_at(run, i);
        if (!ic_argument_is(b, 1, event.name)) continue;
        *value += event.t - last > pause;
        last = event.t;
    }
    return true;
}

/* ---- vibration */

/* Power at a frequency, in radians for each sample, of values without their mean under Hann's
   window. */
static double power_at(const double *values, size_t n, double angle)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < n; i++) {
        const double window = 1 - cos(2 * acos(-1) * (double)i / (double)(n - 1));
        re += window * values[i] * cos(angle * (double)i);
        im += window * values[i] * sin(angle * (double)i);
    }
    return re * re + im * im;
}

/* Bins, 1/T, in which a vibration is looked for: Hann's window blurs over two. In halves first,
   then in fortieths. */
enum { FIRST_BIN = 2, LAST_BIN = 512, FINE = 20 };

static double strongest_bin(const double *values, size_t n)
{
    const double per_bin = 2 * acos(-1) / (double)(n - 1);
    double best = 0, most = -1;
    for (int k = 2 * FIRST_BIN; k <= 2 * LAST_BIN; k++) {
        const double power = power_at(values, n, per_bin * k / 2);
        if (power > most) most = power, best = k / 2.0;
    }
    const double coarse = best;
    for (int k = -FINE; k <= FINE; k++) {
        const double bin = coarse + 0.5 * k / FINE, power = power_at(values, n, per_bin * bin);
        if (power > most) most = power, best = bin;
    }
    return best;
}

/* Number of the first sample that is not before a time. */
static size_t first_sample(const ic_log *run, double from)
{
    size_t first = 0;
    while (first < ic_log_sample_count(run) && ic_log_sample_at(run, first).t < from) first++;
    return first;
}

bool ic_measure_dominant_frequency(double *value, const ic_measurement *b)
{
    double from = 0, mean = 0;
    const ic_log *run = b->log;
    if (!ic_expression_number(&from, b->call->arguments[2], NULL, b->error)) return false;
    const size_t first = first_sample(run, from), n = ic_log_sample_count(run) - first;
    if (n <= (size_t)2 * LAST_BIN)
        return ic_measurement_fail(b, "too short for a frequency of ", b->call->arguments[1]);
    double *values = calloc(n, sizeof *values);
    if (values == NULL) return ic_measurement_fail(b, "no memory for a frequency of ", b->call->arguments[1]);
    for (size_t i = 0; i < n; i++) {
        const ic_sample at = ic_log_sample_at(run, first + i);
        values[i] = ic_argument_value(b, 1, at.t, at.x, at.mode);
        mean += values[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) values[i] -= mean;
    *value = strongest_bin(values, n) / (ic_log_end(run).t - ic_log_sample_at(run, first).t);
    free(values);
    return true;
}

/* ---- motions that differ */

/* Over their common samples, which are at the same times if both runs have the same end. */
static bool outputs_differ(double *largest, double *range, const ic_measurement *b)
{
    const ic_log *run = b->log;
    ic_measurement other = *b;
    other.subject = ic_claim_evaluator_subject(b->evaluator, b->call->arguments[1], b->error);
    const ic_log *second = other.subject != NULL ? ic_subject_run(other.subject, b->error) : NULL;
    if (second == NULL) return false;
    double least = INFINITY, greatest = -INFINITY;
    if (ic_log_sample_count(run) != ic_log_sample_count(second) || ic_log_end(run).t != ic_log_end(second).t)
        return ic_measurement_fail(b, "the runs do not end together: ", b->call->arguments[1]);
    *largest = 0;
    for (size_t i = 0; i < ic_log_sample_count(run); i++) {
        const ic_sample one = ic_log_sample_at(run, i), two = ic_log_sample_at(second, i);
        const double mine = ic_argument_value(b, 2, one.t, one.x, one.mode);
        *largest = fmax(*largest, fabs(mine - ic_argument_value(&other, 2, two.t, two.x, two.mode)));
        least = fmin(least, mine);
        greatest = fmax(greatest, mine);
    }
    *range = greatest - least;
    return true;
}

bool ic_measure_run_difference(double *value, const ic_measurement *b)
{
    double range = 0;
    if (!outputs_differ(value, &range, b)) return false;
    *value /= range;
    return true;
}

bool ic_measure_end_difference(double *value, const ic_measurement *b)
{
    double range = 0;
    if (!outputs_differ(value, &range, b)) return false;
    const ic_sample end = ic_log_end(b->log);
    *value /= fabs(ic_argument_value(b, 2, end.t, end.x, end.mode));
    return true;
}

/* ---- sensitivity to a parameter */

enum { SPREAD_VALUES = 5 };

/* The subject of b with one more setting, or NULL. */
static ic_subject *with_setting(const ic_measurement *b, double setting)
{
    const char *old = b->call->arguments[0], *bracket = strchr(old, '[');
    const int kept = bracket == NULL ? (int)strlen(old) : (int)strlen(old) - 1;
    char path[IC_LONGEST_PATH];
    const int n = snprintf(path, sizeof path, "%.*s%s%s=%.10g]", kept, old, bracket == NULL ? "[" : ", ",
                           b->call->arguments[1], setting);
    if (n < (int)sizeof path) return ic_claim_evaluator_subject(b->evaluator, path, b->error);
    ic_measurement_fail(b, "the path becomes too long with ", b->call->arguments[1]);
    return NULL;
}

/* Greatest sampled magnitude of argument 4. */
static bool greatest_magnitude(double *most, const ic_measurement *b, ic_subject *subject)
{
    ic_measurement at = *b;
    at.subject = subject;
    const ic_log *run = ic_subject_run(subject, b->error);
    if (run == NULL) return false;
    *most = 0;
    for (size_t i = 0; i < ic_log_sample_count(run); i++) {
        const ic_sample sample = ic_log_sample_at(run, i);
        *most = fmax(*most, fabs(ic_argument_value(&at, 4, sample.t, sample.x, sample.mode)));
    }
    return true;
}

bool ic_measure_spread(double *value, const ic_measurement *b)
{
    double from = 0, to = 0, peak[SPREAD_VALUES], mean = 0;
    ic_expression_number(&from, b->call->arguments[2], NULL, b->error);
    ic_expression_number(&to, b->call->arguments[3], NULL, b->error);
    for (int i = 0; i < SPREAD_VALUES; i++) {
        ic_subject *subject = with_setting(b, from + (to - from) * i / (SPREAD_VALUES - 1));
        if (subject == NULL || !greatest_magnitude(&peak[i], b, subject)) return false;
        mean += peak[i] / SPREAD_VALUES;
    }
    *value = 0;
    for (int i = 0; i < SPREAD_VALUES; i++) *value = fmax(*value, fabs(peak[i] - mean) / mean);
    return true;
}
