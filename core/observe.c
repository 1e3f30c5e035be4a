/* SPDX-License-Identifier: MIT */
/* Samples and extremes of the outputs between two events. */
#include "core/event_loop.h"
#include "core/log_scope.h"

#include <math.h>

/* Slopes at the ends of a part are finite differences over this fraction of it. */
#define SLOPE_FRACTION 1e-4
/*
 * Golden section narrows a peak to this fraction of its part. Below it, the value at a smooth peak
 * changes only by rounding.
 */
#define PEAK_FRACTION 1e-7
#define GOLDEN 0.61803398874989484820

typedef struct stretch {
    const ic_phase *phase;
    ic_interpolant *interpolate;
    void *self;
    double x[IC_MAX_STATES];

    /* IC_NO_MEMORY: a peak could not be kept */
    ic_status status;
} stretch;

static ic_status log_samples(stretch *s, double t0, double t1)
{
    const ic_problem *problem = s->phase->problem;
    const size_t samples = s->phase->options->samples;
    for (size_t i = ic_log_sample_count(s->phase->log); i < samples; i++) {
        const double t = ic_sample_time(problem, samples, i);
        if (t > t1) break;
        s->interpolate(s->self, t < t0 ? t0 : t, s->x);
        const ic_status status = ic_log_sample(s->phase->log, t, s->phase->mode_index, s->x);
        if (status != IC_OK) return status;
    }
    return IC_OK;
}

static double output_at(stretch *s, const ic_output *output, double t)
{
    s->interpolate(s->self, t, s->x);
    return output->value(t, s->x, s->phase->mode_index, s->phase->problem->par);
}

/* Golden section for the greatest value of sign * output in (a, b). */
static void refine_peak(stretch *s, size_t i, double sign, double a, double b)
{
    const ic_output *output = &s->phase->problem->system->outputs[i];
    const double least = PEAK_FRACTION * (b - a);
    double c = b - GOLDEN * (b - a), d = a + GOLDEN * (b - a);
    double at_c = sign * output_at(s, output, c), at_d = sign * output_at(s, output, d);
    while (b - a > least) {
        if (at_c > at_d) {
            b = d, d = c, at_d = at_c;
            c = b - GOLDEN * (b - a);
            at_c = sign * output_at(s, output, c);
        } else {
            a = c, c = d, at_c = at_d;
            d = a + GOLDEN * (b - a);
            at_d = sign * output_at(s, output, d);
        }
        if (c <= a || d >= b) break;
    }
    const double peak = 0.5 * (a + b);
    s->interpolate(s->self, peak, s->x);
    ic_log_extremes(s->phase->log, peak, s->phase->mode_index, s->x);
    if (ic_log_keeps_peaks(s->phase->log) && s->status == IC_OK)
        s->status = ic_log_peak(s->phase->log, i, sign, peak, s->phase->mode_index, s->x);
}

/* The extremes of an output so far, in the window of t if the log has windows; none if all peaks are kept. */
static ic_extreme known_extreme(const stretch *s, size_t output, double t)
{
    const ic_log *log = s->phase->log;
    const ic_log_scope *scope = ic_log_scope_of(log);
    size_t n = 0;
    if (ic_log_keeps_peaks(log)) return (ic_extreme){.min = INFINITY, .max = -INFINITY};
    if (scope == NULL) return ic_log_extreme(log, output);
    const size_t window = ic_log_windows_at(log, t, &n);
    return ic_log_window_extreme(log, window, output - scope->first_output);
}

/* Look for peaks in one part [a, b] of the interval. A peak shows in the slopes at its ends. */
static void find_peaks(stretch *s, double a, double b)
{
    const ic_case *system = s->phase->problem->system;
    const double *par = s->phase->problem->par;
    const double delta = SLOPE_FRACTION * (b - a);
    const double times[4] = {a, a + delta, b - delta, b};
    double x[4][IC_MAX_STATES];
    for (int k = 0; k < 4; k++) s->interpolate(s->self, times[k], x[k]);
    ic_log_extremes(s->phase->log, b, s->phase->mode_index, x[3]);
    const ic_log_scope *scope = ic_log_scope_of(s->phase->log);
    const size_t first = scope != NULL ? scope->first_output : 0;
    const size_t n = scope != NULL ? scope->n_outputs : system->n_outputs;
    for (size_t i = first; i < first + n; i++) {
        const ic_output *output = &system->outputs[i];
        double v[4];
        for (int k = 0; k < 4; k++) v[k] = output->value(times[k], x[k], s->phase->mode_index, par);
        const double slope_a = (v[1] - v[0]) / delta, slope_b = (v[3] - v[2]) / delta;
        const ic_extreme extreme = known_extreme(s, i, 0.5 * (a + b));
        /* a peak lies below its tangents: refine only if these exceed the extremes so far */
        if (slope_a > 0 && slope_b < 0 && v[0] + slope_a * (b - a) > extreme.max) refine_peak(s, i, +1, a, b);
        if (slope_a < 0 && slope_b > 0 && v[0] + slope_a * (b - a) < extreme.min) refine_peak(s, i, -1, a, b);
    }
}

static void find_peaks_in_parts(stretch *s, double t0, double t1, int nodes)
{
    for (int k = 0; k < nodes; k++) {
        const double a = t0 + (t1 - t0) * k / nodes;
        const double b = k + 1 == nodes ? t1 : t0 + (t1 - t0) * (k + 1) / nodes;
        if (b > a) find_peaks(s, a, b);
    }
}

/*
 * Treats each window by itself, so that no part lies in two windows. Nothing is recorded outside
 * the windows.
 */
static void find_peaks_in_windows(stretch *s, const ic_log_scope *scope, double t0, double t1, int nodes)
{
    const ic_problem *problem = s->phase->problem;
    size_t n = 0;
    for (size_t i = ic_log_windows_at(s->phase->log, t0, &n); i < scope->n_windows; i++) {
        const double begin = ic_sample_time(problem, scope->samples, scope->first_window + i);
        const double end = ic_sample_time(problem, scope->samples, scope->first_window + i + 1);
        const double a = begin > t0 ? begin : t0, b = end < t1 ? end : t1;
        if (begin > t1) break;
        if (!(b > a)) continue;
        s->interpolate(s->self, a, s->x);
        ic_log_extremes(s->phase->log, a, s->phase->mode_index, s->x);
        find_peaks_in_parts(s, a, b, (int)ceil(nodes * (b - a) / (t1 - t0)));
    }
}

ic_status ic_phase_observe(const ic_phase *phase, double t0, double t1, int nodes, ic_interpolant *interpolate,
                           void *self)
{
    if (phase->options->samples == 0 && !phase->options->extremes) return IC_OK;
    stretch s = {.phase = phase, .interpolate = interpolate, .self = self, .status = IC_OK};
    const ic_log_scope *scope = ic_log_scope_of(phase->log);
    if (phase->options->samples > 0) {
        const ic_status status = log_samples(&s, t0, t1);
        if (status != IC_OK) return status;
    }
    if (!phase->options->extremes || !(t1 > t0)) return IC_OK;
    if (scope != NULL) find_peaks_in_windows(&s, scope, t0, t1, nodes);
    else find_peaks_in_parts(&s, t0, t1, nodes);
    return s.status;
}

double ic_phase_next_sample(const ic_phase *phase)
{
    const size_t next = ic_log_sample_count(phase->log);
    if (phase->options->extremes) return -INFINITY;
    return next < phase->options->samples ? ic_sample_time(phase->problem, phase->options->samples, next)
                                          : INFINITY;
}
