/* SPDX-License-Identifier: MIT */
#include "validation/cycle.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run has come to a cycle if it returns to within this many scales. */
#define RETURNS_WITHIN 1e-4
/* Events of the guard, or of all, in a cycle at most. */
enum { MOST_ROUNDS = 8, MOST_EVENTS = 64 };

static bool same_event(const ic_event *a, const ic_event *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->mode_to == b->mode_to;
}

static double distance(const ic_event *a, const ic_event *b, const double *scale, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(a->x_post[i] - b->x_post[i]) / scale[i]);
    return largest;
}

/* The cycle that ends with event `last` of a log. */
static void close_cycle(ic_cycle *cycle, const ic_log *log, size_t last, const double *scale, size_t n)
{
    const ic_event end = ic_log_event_at(log, last);
    int rounds = 0;
    for (size_t i = last; i-- > 0 && last - i <= MOST_EVENTS && rounds < MOST_ROUNDS;) {
        const ic_event event = ic_log_event_at(log, i);
        if (!same_event(&event, &end)) continue;
        rounds++;
        if (!(distance(&event, &end, scale, n) < RETURNS_WITHIN) || !(end.t > event.t)) continue;
        cycle->multiple = rounds;
        cycle->events = (int)(last - i);
        cycle->event = end.name;
        cycle->period = end.t - event.t;
        cycle->mode = end.mode_to;
        memcpy(cycle->x, end.x_post, n * sizeof *cycle->x);
        return;
    }
}

ic_status ic_cycle_find(ic_cycle *cycle, const ic_problem *problem, const ic_solver *solver,
                        const ic_options *options, int back)
{
    double scale[IC_MAX_STATES];
    ic_problem whole = *problem;
    ic_options quick = *options;
    *cycle = (ic_cycle){0};
    quick.samples = 0;
    quick.extremes = false;
    whole.t_end = whole.t_start + IC_CYCLE_TRANSIENT * ic_time_scale(problem);
    whole.t_end_text = NULL;
    ic_state_scales(problem, scale);
    ic_log *log = ic_log_new(&whole);
    if (log == NULL) return IC_NO_MEMORY;
    const ic_status status = solver->solve(log, &whole, &quick);
    const size_t count = ic_log_event_count(log);
    if (status == IC_OK && count > (size_t)back) {
        const size_t last = count - 1 - (size_t)back;
        if (ic_log_event_at(log, last).kind == IC_EVENT_GUARD)
            close_cycle(cycle, log, last, scale, problem->system->n_states);
    }
    ic_log_free(log);
    return status;
}
