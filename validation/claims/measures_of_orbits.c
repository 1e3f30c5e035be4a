/* SPDX-License-Identifier: MIT */
#include "registry/registry.h"
#include "validation/claims/measurement.h"

#include <math.h>
#include <stdlib.h>

/* ---- measures of the steady state */

bool ic_measure_steady(double *value, const ic_measurement *b)
{
    const ic_steady *steady = b->steady;
    if (ic_argument_is(b, 1, "multiple")) *value = steady->multiple;
    if (ic_argument_is(b, 1, "residual")) *value = steady->residual;
    if (ic_argument_is(b, 1, "spectral_radius")) *value = steady->spectral_radius;
    return true;
}

/* After n periods a small deviation is multiplied by the largest multiplier to the power
   n/multiple. */
bool ic_measure_settling(double *value, const ic_measurement *b)
{
    static const double settled = 1e-9;
    *value = b->steady->multiple * log(settled) / log(b->steady->spectral_radius);
    return true;
}

bool ic_measure_extreme(double *value, const ic_measurement *b)
{
    const ic_steady *steady = b->steady;
    const size_t output = ic_output_find(b->subject->setup.problem.system, b->call->arguments[1]);
    if (output >= steady->n_outputs)
        return ic_measurement_fail(b, "extremes are not kept of output ", b->call->arguments[1]);
    *value = ic_argument_is(b, 2, "min") ? steady->extremes[output].min : steady->extremes[output].max;
    return true;
}

/* Steady states count their first eight modes only. */
static bool is_counted(const ic_measurement *b)
{
    const size_t counted = IC_COUNT(b->subject->steady.fraction);
    return (size_t)ic_argument_mode(b, 1) < counted ||
           ic_measurement_fail(b, "modes after the eighth are not counted: ", b->call->arguments[1]);
}

bool ic_measure_fraction(double *value, const ic_measurement *b)
{
    if (!is_counted(b)) return false;
    *value = b->steady->fraction[ic_argument_mode(b, 1)];
    return true;
}

bool ic_measure_events(double *value, const ic_measurement *b)
{
    *value = (double)b->steady->events / b->steady->multiple;
    return true;
}

bool ic_measure_entries(double *value, const ic_measurement *b)
{
    if (!is_counted(b)) return false;
    *value = (double)b->steady->entries[ic_argument_mode(b, 1)] / b->steady->multiple;
    return true;
}

/* Two periods of the orbit, so that a dwell across its seam is complete. */
bool ic_measure_longest(double *value, const ic_measurement *b)
{
    const ic_log *orbit = b->log;
    const int wanted = ic_argument_mode(b, 1);
    const double length = b->subject->orbit_problem.t_end;
    const size_t n = ic_log_event_count(orbit);
    int mode = b->subject->orbit_problem.mode_start;
    double since = 0;
    bool stays = mode == wanted;
    *value = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        const ic_event event = ic_log_event_at(orbit, i < n ? i : i - n);
        const double t = event.t + (i < n ? 0 : length);
        if (event.mode_to == mode) continue;
        if (mode == wanted) *value = fmax(*value, t - since);
        mode = event.mode_to;
        since = t;
        stays = false;
    }
    if (stays) *value = length;
    return true;
}

bool ic_measure_at_entry(double *value, const ic_measurement *b)
{
    const ic_log *orbit = b->log;
    const int mode = ic_argument_mode(b, 1);
    *value = NAN;
    for (size_t i = 0; i < ic_log_event_count(orbit); i++) {
        const ic_event event = ic_log_event_at(orbit, i);
        if (event.mode_to != mode || event.mode_from == mode) continue;
        const bool before = ic_argument_is(b, 3, "before");
        const double at = ic_argument_value(b, 2, event.t, before ? event.x_pre : event.x_post,
                                            before ? event.mode_from : event.mode_to);
        *value = ic_better_extreme(b, 4, *value, at);
    }
    return !isnan(*value) ||
           ic_measurement_fail(b, "the steady state never enters mode ", b->call->arguments[1]);
}

/* Trapezoids between samples and the one-sided limits at events. */
bool ic_measure_mean(double *value, const ic_measurement *b)
{
    const ic_log *orbit = b->log;
    const size_t n_events = ic_log_event_count(orbit);
    size_t next = 0;
    ic_sample at = ic_log_sample_at(orbit, 0);
    double integral = 0, t = at.t, height = ic_argument_value(b, 1, t, at.x, at.mode);
    for (size_t i = 1; i < ic_log_sample_count(orbit); i++) {
        at = ic_log_sample_at(orbit, i);
        for (; next < n_events && ic_log_event_at(orbit, next).t <= at.t; next++) {
            const ic_event event = ic_log_event_at(orbit, next);
            const double end = ic_argument_value(b, 1, event.t, event.x_pre, event.mode_from);
            integral += 0.5 * (height + end) * (event.t - t);
            t = event.t;
            height = ic_argument_value(b, 1, t, event.x_post, event.mode_to);
        }
        const double end = ic_argument_value(b, 1, at.t, at.x, at.mode);
        integral += 0.5 * (height + end) * (at.t - t);
        t = at.t;
        height = end;
    }
    *value = integral / b->subject->orbit_problem.t_end;
    return true;
}

/* ---- differences of two steady states */

/* An output over one orbit, IC_SAMPLES_PER_PERIOD values for each period of the forcing. */
typedef struct signal {
    double *value;
    size_t count;
    double least, greatest;
} signal;

static bool signal_open(signal *s, ic_subject *subject, const char *output, ic_error *error)
{
    const ic_log *orbit = ic_subject_orbit(subject, error);
    if (orbit == NULL) return false;
    const ic_case *system = subject->setup.problem.system;
    const size_t i_output = ic_output_find(system, output);
    if (i_output == system->n_outputs) {
        ic_error_set(error, "case '%s' has no output '%s'", system->name, output);
        return false;
    }
    *s = (signal){.count = ic_log_sample_count(orbit) - 1, .least = INFINITY, .greatest = -INFINITY};
    s->value = malloc(s->count * sizeof *s->value);
    if (s->value == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        const ic_sample at = ic_log_sample_at(orbit, i);
        s->value[i] = system->outputs[i_output].value(at.t, at.x, at.mode, subject->setup.par);
        s->least = fmin(s->least, s->value[i]);
        s->greatest = fmax(s->greatest, s->value[i]);
    }
    return true;
}

/* Largest and mean difference of a and b moved by `shift` samples, over their common multiple. */
static void compare_shifted(const signal *a, const signal *b, size_t shift, double *largest, double *mean)
{
    const size_t n = a->count * (b->count / IC_SAMPLES_PER_PERIOD);
    *largest = *mean = 0;
    for (size_t i = 0; i < n; i++) {
        const double difference = fabs(a->value[i % a->count] - b->value[(i + shift) % b->count]);
        *largest = fmax(*largest, difference);
        *mean += difference / (double)n;
    }
}

/* Steady states of several periods may be passed through with a shift of whole periods: the best
   fit counts. */
static bool compare_orbits(const ic_measurement *b, double *largest, double *mean)
{
    signal one = {0}, two = {0};
    ic_subject *other = ic_claim_evaluator_subject(b->evaluator, b->call->arguments[1], b->error);
    bool good = other != NULL && signal_open(&one, b->subject, b->call->arguments[2], b->error);
    good = good && signal_open(&two, other, b->call->arguments[2], b->error);
    if (good) {
        const double range = fmax(one.greatest, two.greatest) - fmin(one.least, two.least);
        *largest = *mean = INFINITY;
        for (size_t shift = 0; shift < two.count; shift += IC_SAMPLES_PER_PERIOD) {
            double shifted_largest, shifted_mean;
            compare_shifted(&one, &two, shift, &shifted_largest, &shifted_mean);
            *largest = fmin(*largest, shifted_largest / range);
            *mean = fmin(*mean, shifted_mean / range);
        }
    }
    free(one.value);
    free(two.value);
    return good;
}

bool ic_measure_difference(double *value, const ic_measurement *b)
{
    double mean;
    return compare_orbits(b, value, &mean);
}

bool ic_measure_mean_difference(double *value, const ic_measurement *b)
{
    double largest;
    return compare_orbits(b, &largest, value);
}
