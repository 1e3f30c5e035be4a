/* SPDX-License-Identifier: MIT */
/* What the log is shown of a stretch between two events: samples, and the extremes of the outputs. */
#include "core/event_loop.h"

#include <math.h>
#include <string.h>

/* Slopes at the ends of a part are differences over this fraction of it. */
#define SLOPE_FRACTION 1e-4
/* Golden section narrows a peak to this fraction of its part: below it a smooth peak moves by rounding only. */
#define PEAK_FRACTION 1e-7
#define GOLDEN 0.61803398874989484820

typedef struct stretch {
    const ic_phase *phase;
    ic_interpolant *interpolate;
    void *self;
    double x[IC_MAX_STATES];
} stretch;

static ic_status take_samples(stretch *s, double t0, double t1)
{
    const ic_problem *problem = s->phase->problem;
    const size_t samples = s->phase->options->samples;
    const double length = problem->t_end - problem->t_start;
    for (size_t i = ic_log_sample_count(s->phase->log); i < samples; i++) {
        const double fraction = samples > 1 ? (double)i / (double)(samples - 1) : 0;
        const double t = i + 1 == samples ? problem->t_end : problem->t_start + fraction * length;
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
static void refine(stretch *s, const ic_output *output, double sign, double a, double b)
{
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
}

/* One part [a, b] of the stretch: a peak inside shows in the slopes at its ends. */
static void follow_extremes(stretch *s, double a, double b)
{
    const ic_case *system = s->phase->problem->system;
    const double *par = s->phase->problem->par;
    const double delta = SLOPE_FRACTION * (b - a);
    const double times[4] = {a, a + delta, b - delta, b};
    double x[4][IC_MAX_STATES];
    for (int k = 0; k < 4; k++) s->interpolate(s->self, times[k], x[k]);
    ic_log_extremes(s->phase->log, b, s->phase->mode_index, x[3]);
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_output *output = &system->outputs[i];
        double v[4];
        for (int k = 0; k < 4; k++) v[k] = output->value(times[k], x[k], s->phase->mode_index, par);
        const double slope_a = (v[1] - v[0]) / delta, slope_b = (v[3] - v[2]) / delta;
        const ic_extreme extreme = ic_log_extreme(s->phase->log, i);
        /* the tangents bound a peak: nothing to gain where they stay inside what is known */
        if (slope_a > 0 && slope_b < 0 && v[0] + slope_a * (b - a) > extreme.max) refine(s, output, +1, a, b);
        if (slope_a < 0 && slope_b > 0 && v[0] + slope_a * (b - a) < extreme.min) refine(s, output, -1, a, b);
    }
}

ic_status ic_phase_observe(const ic_phase *phase, double t0, double t1, int nodes, ic_interpolant *interpolate,
                           void *self)
{
    stretch s = {.phase = phase, .interpolate = interpolate, .self = self};
    if (phase->options->samples > 0) {
        const ic_status status = take_samples(&s, t0, t1);
        if (status != IC_OK) return status;
    }
    if (!phase->options->extremes || !(t1 > t0)) return IC_OK;
    for (int k = 0; k < nodes; k++) {
        const double a = t0 + (t1 - t0) * k / nodes;
        const double b = k + 1 == nodes ? t1 : t0 + (t1 - t0) * (k + 1) / nodes;
        if (b > a) follow_extremes(&s, a, b);
    }
    return IC_OK;
}
