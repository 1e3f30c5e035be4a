/* SPDX-License-Identifier: MIT */
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Growing array of equal elements. */
typedef struct list {
    void *data;
    size_t count, capacity, size;
} list;

/* Lists start small: memory of up to a kilobyte costs an allocator least, and many runs have few events. */
#define FIRST_BYTES 1000

/* States are kept beside their records, so that a record may be copied freely. */
struct ic_log {
    const ic_problem *problem;
    size_t n;
    list events, event_states; /* ic_event; x_pre and x_post, 2 n numbers for each */
    list samples, sample_states;
    list notes;
    ic_work work;
    double end_t;
    int end_mode;
    char text[512];
    ic_extreme *extremes; /* of each output; in the block of the log itself, like end_x */
    double *end_x;
    double block[];
};

static void *list_extend(list *l, size_t elements)
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
    log->extremes = (ic_extreme *)(log->block + n_states); /* numbers, too */
    log->problem = problem;
    log->n = n_states;
    log->events.size = sizeof(ic_event);
    log->samples.size = sizeof(ic_sample);
    log->notes.size = sizeof(ic_note);
    log->event_states.size = log->sample_states.size = sizeof(double);
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
    free(log);
}

ic_status ic_log_event(ic_log *log, const ic_event *event)
{
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

void ic_log_extremes(ic_log *log, double t, int mode, const double *x)
{
    const ic_case *system = log->problem->system;
    for (size_t i = 0; i < system->n_outputs; i++) {
        ic_extreme *extreme = &log->extremes[i];
        const double value = system->outputs[i].value(t, x, mode, log->problem->par);
        if (isnan(value)) continue;
        if (!(extreme->min <= value)) extreme->min = value, extreme->t_min = t;
        if (!(extreme->max >= value)) extreme->max = value, extreme->t_max = t;
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
    return log->samples.count;
}

ic_sample ic_log_sample_at(const ic_log *log, size_t i)
{
    ic_sample sample = ((const ic_sample *)log->samples.data)[i];
    sample.x = (const double *)log->sample_states.data + i * log->n;
    return sample;
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
