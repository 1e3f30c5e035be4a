/* SPDX-License-Identifier: MIT */
#include "validation/distributed.h"

#include <stdlib.h>
#include <string.h>

struct ic_distribution {
    /* here, where rows arrive; NULL in a process that works */
    const ic_workers *workers;

    /* NULL where parts are only counted, and here */
    ic_worker *worker;

    /* announced so far */
    size_t parts;

    /* of those parts, ms */
    unsigned long cost;
};

/* ---- a process that works */

static bool take_part(struct ic_distribution *distributed, unsigned cost)
{
    const size_t part = distributed->parts++;
    distributed->cost += cost;
    return distributed->worker != NULL && ic_worker_take(distributed->worker, part, cost);
}

/* Rows that were sent are not kept. */
typedef struct sender {
    ic_results results;
    ic_worker *worker;
} sender;

static void send_row(const ic_result *row, void *context)
{
    sender *s = context;
    ic_worker_send(s->worker, row, sizeof *row);
    s->results.count = 0;
}

typedef struct distributed_work {
    ic_results *results;
    ic_distributed_walk *walk;
    const void *context;
} distributed_work;

static void do_parts(ic_worker *worker, void *context)
{
    const distributed_work *work = context;
    struct ic_distribution distributed = {.worker = worker};
    sender s = {.results = {.watch = send_row, .distributed = &distributed, .take = take_part},
                .worker = worker};
    s.results.context = &s;
    work->walk(&s.results, work->context);
    if (s.results.out_of_memory) ic_worker_lacks_memory(worker);
    ic_results_free(&s.results);
}

/* ---- here */

static bool take_row(const void *bytes, size_t size, void *context)
{
    const distributed_work *work = context;
    ic_result row;
    (void)size;
    memcpy(&row, bytes, sizeof row);
    ic_results_append(work->results, &row);
    return !work->results->out_of_memory;
}

ic_workers_progress ic_distributed_progress_of(const ic_results *results)
{
    return ic_workers_progress_of(results->distributed != NULL ? results->distributed->workers : NULL);
}

/* Rows of one part come from one process in order: their addresses keep that order. */
static int compare_rows(const void *a, const void *b)
{
    const ic_result *one = *(ic_result *const *)a, *two = *(ic_result *const *)b;
    if (one->part != two->part) return one->part < two->part ? -1 : 1;
    return (one > two) - (one < two);
}

static bool sort_rows(ic_results *results, size_t first)
{
    const size_t n = results->count - first;
    ic_result *ordered = calloc(n + 1, sizeof *ordered);
    const ic_result **rows = calloc(n + 1, sizeof(const ic_result *));
    const bool good = ordered != NULL && rows != NULL;
    if (good) {
        for (size_t i = 0; i < n; i++) rows[i] = &results->rows[first + i];
        qsort(rows, n, sizeof(const ic_result *), compare_rows);
        for (size_t i = 0; i < n; i++) ordered[i] = *rows[i];
        memcpy(results->rows + first, ordered, n * sizeof *ordered);
    }
    free(ordered);
    free(rows);
    return good;
}

bool ic_distribute(ic_results *results, ic_distributed_walk *walk, const void *context, size_t jobs,
                   ic_error *error)
{
    const size_t first = results->count;
    struct ic_distribution distributed = {.parts = 0};
    ic_results counting = {.distributed = &distributed, .take = take_part};
    distributed_work work = {results, walk, context};
    walk(&counting, context);
    ic_workers workers = {.jobs = jobs,
                          .parts = distributed.parts,
                          .cost = distributed.cost,
                          .work = do_parts,
                          .read = take_row,
                          .context = &work};
    distributed.workers = &workers;
    results->distributed = &distributed;
    results->take = take_part;
    const bool good = ic_workers_run(&workers, error);
    results->distributed = NULL;
    if (good && !results->out_of_memory && sort_rows(results, first)) return true;
    return good ? ic_error_no_memory(error) : false;
}
