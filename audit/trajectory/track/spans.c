/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of spans; predictions of many states are expensive. */
enum { MOST = 160, MOST_OF_MANY = 24, EVENTS = 40, EVENTS_OF_MANY = 8, MOST_EVENTS = 3 };

/* Longest span, in typical times. */
#define LONGEST 0.25

/*
 * Greatest shift of the mean by curvature, in deviations. With many spans, a greater shift would
 * look like a change of a parameter.
 */
#define CURVED 0.1

/* Part of a range above which noise matters that a stiff contact enlarges; curvature may look like less. */
#define SHOWS 1e-8

bool ic_state_is_measured(const ic_tracking *k, size_t j)
{
    return k->trajectory->source[j] == IC_FROM_FILE;
}

/* ---- choice of spans */

/* Add the span of intervals i to i + length - 1 if they are contiguous. */
static void add_span(ic_spans *s, size_t i, size_t length)
{
    const ic_tracking *k = s->k;
    const double *t = k->trajectory->t;
    for (size_t j = i; j < i + length; j++) {
        if (j >= k->n_intervals || (j > i && k->intervals[j].from != k->intervals[j - 1].to)) return;
    }
    const ic_interval *first = &k->intervals[i];
    if (first->doubtful || !isfinite(first->defect)) return;
    s->spans[s->n++] = (ic_span){.first = *first, .to = k->intervals[i + length - 1].to};
    s->seconds = fmax(s->seconds, t[s->spans[s->n - 1].to] - t[first->from]);
}

static void add_event_spans(ic_spans *s, size_t length)
{
    const ic_tracking *k = s->k;
    const size_t most = ic_has_many_states(k) ? EVENTS_OF_MANY : EVENTS;
    size_t seen = 0, all = 0;
    for (size_t i = 0; i < k->n_intervals; i++) all += ic_interval_has_event(&k->intervals[i]);
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (!ic_interval_has_event(&k->intervals[i])) continue;
        if (seen++ % (all / most + 1) == 0 && i >= length / 2) add_span(s, i - length / 2, length);
    }
}

static bool choose_spans(ic_spans *s)
{
    const ic_tracking *k = s->k;
    const double rows = LONGEST * ic_time_scale(k->problem) / k->spacing;
    const size_t most = ic_has_many_states(k) ? MOST_OF_MANY : MOST, fit = k->n_intervals / IC_LEAST_INTERVALS;
    const size_t length = rows > 1 && fit > 1 ? (size_t)fmin(rows, (double)fit) : 1;
    const size_t stride = k->n_intervals / most + 1;
    s->spans = calloc(most + EVENTS + 2, sizeof *s->spans);
    if (s->spans == NULL) return false;
    s->shared = fmax(1, (double)length / (double)stride);
    for (size_t i = 0; i < k->n_intervals; i += stride) add_span(s, i, length);
    if (stride > length) add_event_spans(s, length);
    return true;
}

/* ---- ends of spans, and their noise */

void ic_span_predict(ic_prediction *end, const ic_spans *spans, size_t i, const ic_predictor *predictor)
{
    const ic_interval *first = &spans->spans[i].first;
    const double *t = spans->k->trajectory->t;
    double x[IC_MAX_STATES];
    ic_interval_state(x, spans->k, first);
    ic_predict(end, predictor, true, t[first->from], x, first->mode, t[spans->spans[i].to]);
}

bool ic_span_same_way(const ic_spans *spans, size_t i, const ic_prediction *end)
{
    return end->good && end->events == spans->spans[i].events && end->mode == spans->spans[i].mode_end;
}

/*
 * Predicts from starts moved by `apart` to either side. Returns whether both have the same events.
 */
static bool predict_separately(ic_prediction pair[2], const ic_spans *s, size_t i,
                               const ic_predictor *predictor, const double *apart)
{
    const ic_tracking *k = s->k;
    const ic_span *span = &s->spans[i];
    const double *t = k->trajectory->t;
    double x[IC_MAX_STATES] = {0};
    for (int side = 0; side < 2; side++) {
        ic_interval_state(x, k, &span->first);
        for (size_t j = 0; j < k->trajectory->n_states; j++) x[j] += side == 0 ? apart[j] : -apart[j];
        ic_predict(&pair[side], predictor, true, t[span->first.from], x, span->first.mode, t[span->to]);
        if (!ic_span_same_way(s, i, &pair[side])) return false;
    }
    return true;
}

/*
 * Sign of the noise in state j: one state at a time, or all together by Walsh functions, which are
 * balanced.
 */
static double sign_of(size_t direction, size_t j, bool together)
{
    unsigned bits = (unsigned)(2 * direction + 1) & (unsigned)(j + 1), parity = 0;
    if (!together) return direction == j;
    for (; bits != 0; bits >>= 1) parity ^= bits & 1;
    return parity == 0 ? 1 : -1;
}

/*
 * Mean and deviation of the predicted end by the Gauss-Hermite rule of three points in each state:
 * 0 and +-sqrt(3) deviations with weights 2/3 and 1/6. Many states are moved together, by one
 * deviation with several sets of signs.
 */
static void add_noise(ic_spans *s, size_t i, const ic_predictor *predictor)
{
    enum { TOGETHER = 8 };
    const ic_tracking *k = s->k;
    const size_t n = k->trajectory->n_states, directions = ic_has_many_states(k) ? TOGETHER : n;
    const double size = ic_has_many_states(k) ? 1 : sqrt(3);
    double mean[IC_MAX_STATES] = {0}, square[IC_MAX_STATES] = {0};
    ic_span *span = &s->spans[i];
    for (size_t d = 0; d < directions && span->good; d++) {
        ic_prediction pair[2];
        double apart[IC_MAX_STATES] = {0};
        for (size_t j = 0; j < n; j++)
            apart[j] =
                ic_state_is_measured(k, j) ? size * k->noise[j] * sign_of(d, j, ic_has_many_states(k)) : 0;
        span->good = predict_separately(pair, s, i, predictor, apart);
        for (size_t l = 0; l < n && span->good; l++) {
            const double by_one = (pair[0].x[l] - pair[1].x[l]) / (2 * size);
            mean[l] += (pair[0].x[l] + pair[1].x[l] - 2 * s->end[i * n + l]) / (2 * size * size);
            square[l] += by_one * by_one;
        }
    }
    const double each = ic_has_many_states(k) ? 1.0 / TOGETHER : 1;
    for (size_t l = 0; l < n; l++) {
        s->deviation[i * n + l] = sqrt(each * square[l] + k->noise[l] * k->noise[l]);
        span->good &= !(fabs(each * mean[l]) > CURVED * s->deviation[i * n + l]);
    }
}

/*
 * Whether noise may have put the first row beyond a guard of its mode, which then never fires: those that it has put
 * there are not as many as those on the other side.
 */
static bool starts_beyond_guard(const ic_tracking *k, const ic_interval *first)
{
    const ic_mode *mode = &k->problem->variant->modes[first->mode];
    const double t = k->trajectory->t[first->from];
    double x[IC_MAX_STATES];
    bool beyond = false;
    if (!ic_noise_exceeds(k, SHOWS)) return false;
    ic_interval_state(x, k, first);
    for (size_t g = 0; g < mode->n_guards && !beyond; g++)
        beyond = ic_guard_is_passed(&mode->guards[g], t, x, k->problem->par,
                                    -ic_guard_tolerance(k, &mode->guards[g], t, x));
    return beyond;
}

static void add_slack(ic_spans *s, size_t i, const ic_prediction *end)
{
    const ic_tracking *k = s->k;
    const size_t n = k->trajectory->n_states;
    const ic_span *span = &s->spans[i];
    double x[IC_MAX_STATES], *slack = &s->slack[i * n];
    ic_interval_state(x, k, &span->first);
    ic_time_slack(slack, k, span->first.from, x, span->first.mode, span->to, end);
    for (size_t j = 0; j < n; j++) s->deviation[i * n + j] = hypot(s->deviation[i * n + j], slack[j]);
}

static bool predict_spans(ic_spans *s)
{
    const ic_tracking *k = s->k;
    const size_t n = k->trajectory->n_states;
    const bool shows = ic_noise_exceeds(k, SHOWS), there_is = ic_noise_is_there(k);
    ic_predictor predictor;
    s->end = calloc(3 * s->n * n + 1, sizeof *s->end);
    if (s->end == NULL) return false;
    s->deviation = s->end + s->n * n, s->slack = s->deviation + s->n * n;
    if (!ic_predictor_open(&predictor, k->problem, k->problem->variant)) return true;
    predictor.rtol = IC_SPAN_RTOL;
    for (size_t i = 0; i < s->n; i++) {
        ic_prediction end;
        ic_span_predict(&end, s, i, &predictor);
        s->spans[i].good = end.good && end.events <= MOST_EVENTS && !starts_beyond_guard(k, &s->spans[i].first);
        if (!s->spans[i].good) continue;
        s->spans[i].events = end.events;
        s->spans[i].mode_end = end.mode;
        memcpy(&s->end[i * n], end.x, n * sizeof *end.x);
        memcpy(&s->deviation[i * n], k->deviation, n * sizeof *k->deviation);
        /* An event carries the noise of the states before it, even if it is small. */
        if (shows || (there_is && end.events > 0)) add_noise(s, i, &predictor);
        add_slack(s, i, &end);
    }
    return true;
}

bool ic_spans_open(ic_spans *spans, const ic_tracking *k)
{
    *spans = (ic_spans){.k = k, .shared = 1};
    return choose_spans(spans) && predict_spans(spans);
}

void ic_spans_close(ic_spans *spans)
{
    free(spans->spans);
    free(spans->end);
    *spans = (ic_spans){.k = spans->k};
}
