/* SPDX-License-Identifier: MIT */
#include "core/log_scope.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Growing array of elements of one size. */
typedef struct record_list {
    void *data;
    size_t count, capacity, size;
} record_list;

/*
 * Initial size of a list. Allocations of up to a kilobyte are cheapest, and many runs have few
 * events.
 */
#define FIRST_BYTES 1000

/* States are kept in lists of their own, so that a record can be copied freely. */
struct ic_log {
    const ic_problem *problem;
    size_t n;

    /*
     * events: elements of type ic_event. event_states: x_pre and x_post, 2 n numbers for each
     * event.
     */
    record_list events, event_states;

    record_list samples, sample_states;
    record_list notes;

    /* of type ic_peak */
    record_list peaks;

    /* n numbers for each peak */
    record_list peak_states;

    /* of each output and sign, 1 + index of its last peak, 0: none; NULL: peaks are not kept */
    size_t *last_peaks;

    /* number of samples between which peaks are kept */
    size_t peak_samples;

    /* Number of samples that were counted but not kept. */
    size_t dropped_samples;

    ic_log_scope scope;

    /* True if `scope` is set. */
    bool narrow;

    /* n_windows x n_outputs extremes of the scope. */
    ic_extreme *windows;

    ic_work work;
    double end_t;
    int end_mode;
    char text[512];

    /* Extremes, one for each output; stored in `block`, as is end_x. */
    ic_extreme *extremes;

    double *end_x;
    double block[];
};

static void *list_extend(record_list *l, size_t elements)
{
    if (l->count + elements > l->capacity) {
        size_t capacity = l->capacity == 0 ? FIRST_BYTES / l->size : 2 * l->capacity;
        while (capacity < l->count + elements) capacity *= 2;
        void *data = realloc(l->data, capacity * l->size);
        if (data == NULL) return NULL;
        l->data = data;
        l->capacity = capacity;
    }
    void *place = (char *)l->data + l->count * l->size;
    l->count += elements;
    return place;
}

ic_log *ic_log_new(const ic_problem *problem)
{
    const size_t n_outputs = problem->system->n_outputs, n_states = problem->system->n_states;
    ic_log *log = calloc(1, sizeof *log + n_states * sizeof *log->end_x + n_outputs * sizeof *log->extremes);
    if (log == NULL) return NULL;
    log->end_x = log->block;
    log->extremes = (ic_extreme *)(log->block + n_states);
    log->problem = problem;
    log->n = n_states;
    log->events.size = sizeof(ic_event);
    log->peaks.size = sizeof(ic_peak);
    log->samples.size = sizeof(ic_sample);
    log->notes.size = sizeof(ic_note);
    log->event_states.size = log->sample_states.size = log->peak_states.size = sizeof(double);
    log->end_mode = -1;
    log->end_t = NAN;
    for (size_t i = 0; i < n_outputs; i++) log->extremes[i] = (ic_extreme){NAN, NAN, NAN, NAN, NAN};
    return log;
}

void ic_log_free(ic_log *log)
{
    if (log == NULL) return;
    free(log->events.data);
    free(log->event_states.data);
    free(log->samples.data);
    free(log->sample_states.data);
    free(log->notes.data);
    free(log->peaks.data);
    free(log->peak_states.data);
    free(log->last_peaks);
    free(log->windows);
    free(log);
}

/* ---- scope */

static const ic_extreme nothing_seen = {NAN, NAN, NAN, NAN, NAN};

ic_status ic_log_narrow(ic_log *log, const ic_log_scope *scope)
{
    const size_t n = scope->n_windows * scope->n_outputs;
    ic_extreme *windows = malloc((n + 1) * sizeof *windows);
    if (windows == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < n; i++) windows[i] = nothing_seen;
    free(log->windows);
    log->windows = windows;
    log->scope = *scope;
    log->narrow = true;
    return IC_OK;
}

const ic_log_scope *ic_log_scope_of(const ic_log *log)
{
    return log->narrow ? &log->scope : NULL;
}

ic_extreme ic_log_window_extreme(const ic_log *log, size_t window, size_t i)
{
    return log->windows[window * log->scope.n_outputs + i];
}

double ic_sample_time(const ic_problem *problem, size_t samples, size_t i)
{
    const double length = problem->t_end - problem->t_start;
    const double fraction = samples > 1 ? (double)i / (double)(samples - 1) : 0;
    return i + 1 == samples ? problem->t_end : problem->t_start + fraction * length;
}

size_t ic_log_windows_at(const ic_log *log, double t, size_t *n)
{
    const ic_problem *problem = log->problem;
    const ic_log_scope *scope = &log->scope;
    const double length = problem->t_end - problem->t_start;
    const double place = (t - problem->t_start) / length * (double)(scope->samples - 1);
    /* Begin one window earlier, because of rounding. */
    const double before = floor(place) - 1 - (double)scope->first_window;
    size_t first = before > 0 ? (size_t)before : 0;
    *n = 0;
    while (first < scope->n_windows &&
           ic_sample_time(problem, scope->samples, scope->first_window + first + 1) < t)
        first++;
    while (first + *n < scope->n_windows &&
           ic_sample_time(problem, scope->samples, scope->first_window + first + *n) <= t)
        (*n)++;
    return first;
}

/* ---- peaks between samples */

ic_status ic_log_keep_peaks(ic_log *log, size_t samples)
{
    log->peak_samples = samples;
    log->last_peaks = calloc(2 * log->problem->system->n_outputs + 1, sizeof *log->last_peaks);
    return log->last_peaks != NULL ? IC_OK : IC_NO_MEMORY;
}

bool ic_log_keeps_peaks(const ic_log *log)
{
    return log->last_peaks != NULL;
}

/* Between which samples t lies. */
static double window_of(const ic_log *log, double t)
{
    const ic_problem *problem = log->problem;
    return floor((t - problem->t_start) / (problem->t_end - problem->t_start) *
                 (double)(log->peak_samples - 1));
}

ic_status ic_log_peak(ic_log *log, size_t output, double sign, double t, int mode, const double *x)
{
    const ic_peak peak = {{t, mode, NULL},
                          output,
                          sign,
                          log->problem->system->outputs[output].value(t, x, mode, log->problem->par)};
    size_t *last = &log->last_peaks[2 * output + (sign < 0)];
    ic_peak *peaks = log->peaks.data;
    if (*last > 0 && window_of(log, peaks[*last - 1].at.t) == window_of(log, t)) {
        if (!(sign * peak.value > sign * peaks[*last - 1].value)) return IC_OK;
    } else {
        if (list_extend(&log->peaks, 1) == NULL) return IC_NO_MEMORY;
        if (list_extend(&log->peak_states, log->n) == NULL) {
            log->peaks.count--;
            return IC_NO_MEMORY;
        }
        *last = log->peaks.count;
    }
    ((ic_peak *)log->peaks.data)[*last - 1] = peak;
    memcpy((double *)log->peak_states.data + (*last - 1) * log->n, x, log->n * sizeof *x);
    return IC_OK;
}

static int compare_peaks(const void *a, const void *b)
{
    const double t = ((const ic_peak *)a)->at.t, u = ((const ic_peak *)b)->at.t;
    return (t > u) - (t < u);
}

const ic_peak *ic_log_peaks(ic_log *log, size_t *n)
{
    ic_peak *peaks = log->peaks.data;
    *n = log->peaks.count;
    for (size_t i = 0; i < *n; i++) peaks[i].at.x = (const double *)log->peak_states.data + i * log->n;
    if (*n > 1) qsort(peaks, *n, sizeof *peaks, compare_peaks);
    return peaks;
}

/* ---- writing */

ic_status ic_log_event(ic_log *log, const ic_event *event)
{
    if (log->narrow) {
        log->events.count++;
        return IC_OK;
    }
    double *states = list_extend(&log->event_states, 2 * log->n);
    if (states == NULL) return IC_NO_MEMORY;
    memcpy(states, event->x_pre, log->n * sizeof *states);
    memcpy(states + log->n, event->x_post, log->n * sizeof *states);
    ic_event *place = list_extend(&log->events, 1);
    if (place == NULL) {
        log->event_states.count -= 2 * log->n;
        return IC_NO_MEMORY;
    }
    *place = *event;
    return IC_OK;
}

ic_status ic_log_sample(ic_log *log, double t, int mode, const double *x)
{
    if (log->narrow && log->dropped_samples < log->scope.first_sample) {
        log->dropped_samples++;
        return IC_OK;
    }
    double *state = list_extend(&log->sample_states, log->n);
    if (state == NULL) return IC_NO_MEMORY;
    memcpy(state, x, log->n * sizeof *state);
    ic_sample *place = list_extend(&log->samples, 1);
    if (place == NULL) {
        log->sample_states.count -= log->n;
        return IC_NO_MEMORY;
    }
    *place = (ic_sample){t, mode, NULL};
    return IC_OK;
}

ic_status ic_log_note(ic_log *log, ic_note_kind kind, double t, const char *guard)
{
    ic_note *place = list_extend(&log->notes, 1);
    if (place == NULL) return IC_NO_MEMORY;
    *place = (ic_note){kind, t, guard};
    return IC_OK;
}

static void widen_extreme(ic_extreme *extreme, double t, double value)
{
    if (isnan(value)) return;
    if (!(extreme->min <= value)) extreme->min = value, extreme->t_min = t;
    if (!(extreme->max >= value)) extreme->max = value, extreme->t_max = t;
}

static void widen_windows(ic_log *log, double t, int mode, const double *x)
{
    const ic_problem *problem = log->problem;
    size_t n = 0;
    const size_t first = ic_log_windows_at(log, t, &n);
    for (size_t i = 0; i < log->scope.n_outputs && n > 0; i++) {
        const double value =
            problem->system->outputs[log->scope.first_output + i].value(t, x, mode, problem->par);
        for (size_t k = first; k < first + n; k++)
            widen_extreme(&log->windows[k * log->scope.n_outputs + i], t, value);
    }
}

void ic_log_extremes(ic_log *log, double t, int mode, const double *x)
{
    const ic_case *system = log->problem->system;
    if (log->narrow) {
        widen_windows(log, t, mode, x);
        return;
    }
    for (size_t i = 0; i < system->n_outputs; i++) {
        widen_extreme(&log->extremes[i], t, system->outputs[i].value(t, x, mode, log->problem->par));
    }
}

void ic_log_final(ic_log *log, double t, int mode, const double *x)
{
    log->end_t = t;
    log->end_mode = mode;
    memcpy(log->end_x, x, log->n * sizeof *x);
}

ic_work *ic_log_work(ic_log *log)
{
    return &log->work;
}

void ic_log_message(ic_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(log->text, sizeof log->text, format, arguments);
    va_end(arguments);
}

const ic_problem *ic_log_problem(const ic_log *log)
{
    return log->problem;
}

size_t ic_log_event_count(const ic_log *log)
{
    return log->events.count;
}

ic_event ic_log_event_at(const ic_log *log, size_t i)
{
    ic_event event = ((const ic_event *)log->events.data)[i];
    event.x_pre = (const double *)log->event_states.data + 2 * i * log->n;
    event.x_post = event.x_pre + log->n;
    return event;
}

size_t ic_log_sample_count(const ic_log *log)
{
    return log->dropped_samples + log->samples.count;
}

ic_sample ic_log_sample_at(const ic_log *log, size_t i)
{
    const size_t kept = i - log->dropped_samples;
    ic_sample sample = ((const ic_sample *)log->samples.data)[kept];
    sample.x = (const double *)log->sample_states.data + kept * log->n;
    return sample;
}

const ic_sample *ic_log_samples(const ic_log *log, const double **states)
{
    *states = log->sample_states.data;
    return log->samples.data;
}

const ic_event *ic_log_events(const ic_log *log, const double **states)
{
    *states = log->event_states.data;
    return log->events.data;
}

size_t ic_log_note_count(const ic_log *log)
{
    return log->notes.count;
}

ic_note ic_log_note_at(const ic_log *log, size_t i)
{
    return ((const ic_note *)log->notes.data)[i];
}

ic_sample ic_log_end(const ic_log *log)
{
    return (ic_sample){log->end_t, log->end_mode, log->end_x};
}

ic_extreme ic_log_extreme(const ic_log *log, size_t output)
{
    ic_extreme extreme = log->extremes[output];
    if (log->end_mode < 0) return extreme;
    extreme.final =
        log->problem->system->outputs[output].value(log->end_t, log->end_x, log->end_mode, log->problem->par);
    return extreme;
}

const char *ic_log_text(const ic_log *log)
{
    return log->text;
}
