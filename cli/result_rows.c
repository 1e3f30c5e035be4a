/* SPDX-License-Identifier: MIT */
/* The rows of a trajectory: samples, events, and peaks between them. */
#include "cli/result.h"

#include <math.h>

/* Part of an output's range by which a peak must exceed the rows beside it to have a row: what a plot shows. */
#define SEEN 1e-3

typedef struct row_list {
    const cli_result *result;

    cli_row_taker *take;
    void *self;

    /* the row before; its state is NULL: there is none */
    ic_sample before;
} row_list;

static void take_row(row_list *rows, const ic_sample *row)
{
    if (row->t >= rows->result->from) rows->take(rows->self, row->t, row->mode, row->x);
    rows->before = *row;
}

/* Whether the rows before and after a peak hide it. */
static bool is_hidden(const row_list *rows, const ic_peak *peak, const ic_sample *after)
{
    const ic_problem *problem = ic_log_problem(rows->result->log);
    const ic_output *output = &problem->system->outputs[peak->output];
    const ic_extreme all = ic_log_extreme(rows->result->log, peak->output);
    const ic_sample *beside[] = {&rows->before, after};
    for (int k = 0; k < 2; k++) {
        if (beside[k]->x == NULL) continue;
        const double there = output->value(beside[k]->t, beside[k]->x, beside[k]->mode, problem->par);
        if (!(peak->sign * (peak->value - there) > SEEN * (all.max - all.min))) return false;
    }
    return true;
}

/* The peaks before the next row. */
static void take_peaks(row_list *rows, size_t *p, const ic_sample *next)
{
    const cli_result *result = rows->result;
    for (; *p < result->n_peaks && result->peaks[*p].at.t < next->t; ++*p) {
        const ic_peak *peak = &result->peaks[*p];
        if (peak->at.t > rows->before.t && is_hidden(rows, peak, next)) take_row(rows, &peak->at);
    }
}

/*
 * Whether a sample belongs before an event: it is earlier, or at the instant of the event and in
 * the mode that the event ends.
 */
static bool sample_first(const ic_sample *sample, const ic_event *event)
{
    return sample->t < event->t || (sample->t == event->t && sample->mode == event->mode_from);
}

void cli_result_rows(const cli_result *result, cli_row_taker *take, void *self)
{
    const ic_log *log = result->log;
    const size_t n_samples = ic_log_sample_count(log), n_events = ic_log_event_count(log);
    row_list rows = {.result = result, .take = take, .self = self, .before.t = -INFINITY};
    for (size_t s = 0, e = 0, p = 0; s < n_samples || e < n_events;) {
        ic_sample sample = {0};
        ic_event event = {0};
        if (s < n_samples) sample = ic_log_sample_at(log, s);
        if (e < n_events) event = ic_log_event_at(log, e);
        if (e == n_events || (s < n_samples && sample_first(&sample, &event))) {
            take_peaks(&rows, &p, &sample);
            take_row(&rows, &sample);
            s++;
        } else {
            const ic_sample pre = {event.t, event.mode_from, event.x_pre},
                            post = {event.t, event.mode_to, event.x_post};
            take_peaks(&rows, &p, &pre);
            take_row(&rows, &pre);
            take_row(&rows, &post);
            e++;
        }
    }
}
