/* SPDX-License-Identifier: MIT */
#include "bench/diagram.h"
#include "bench/timing.h"
#include "sweep/distribution.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define KEPT_PART (64 / IC_DIAGRAM_PERIODS)

/* A part has as many chunks for each of two threads as balances chunks of different cost. The whole
   diagram is measured as well if one thread would take less than this for it, s: the part alone
   would end before the threads are running. */
enum { PART_SETS = 512, PART_PERIODS = 200 };
#define SHORT 2.0

/* Number of timings; the least counts, since other load on the machine only lengthens elapsed time.
   None begins after this many seconds. */
enum { TIMINGS = 5 };
#define ENOUGH 60.0

/* ---- one sweep of a diagram, assembled in memory */

static void encode_chunk(const void *self, const ic_chunk *chunk, ic_bytes *bytes)
{
    const ic_sweep *sweep = chunk->sweep;
    (void)self;
    ic_bytes_add(bytes, chunk->rows, chunk->n * sweep->n_rows * sweep->plan.n_columns * sizeof *chunk->rows);
    ic_bytes_add(bytes, chunk->modes, chunk->n * sweep->n_rows);
}

static bool append_chunk(void *self, const void *bytes, size_t n)
{
    (void)self, (void)bytes, (void)n;
    return true;
}

typedef struct timed_sweep {
    /* s */
    double clock, processor;

    ic_sweep_counts counts;
    char engine[32], solver[32];
} timed_sweep;

static double elapsed_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* false: it could not be followed to its end. */
static bool distribute_sweep(timed_sweep *result, const ic_sweep *sweep, size_t threads)
{
    volatile sig_atomic_t stop = 0;
    const ic_sweep_writer sink = {.encode = encode_chunk, .append = append_chunk, .stop = &stop};
    const ic_ranks alone = {.size = 1};
    const double begin = elapsed_time(), processor = ic_time_now();
    const ic_sweep_outcome dealt = ic_sweep_distribute(sweep, &sink, &alone, threads, 0);
    result->clock = elapsed_time() - begin;
    result->processor = ic_time_now() - processor;
    result->counts = dealt.counts;
    snprintf(result->engine, sizeof result->engine, "%s", sweep->backend->name);
    snprintf(result->solver, sizeof result->solver, "%s", sweep->plan.solver->name);
    return dealt.status == IC_OK && dealt.counts.by_status[IC_OK] == dealt.counts.sets;
}

static bool follow_diagram(timed_sweep *result, size_t sets, size_t periods, size_t threads)
{
    ic_sweep_request request = {.request = {.path = IC_DIAGRAM_PATH}, .record = "strobe"};
    ic_sweep sweep;
    ic_error error;
    char vary[64];
    const double kept = ceil(KEPT_PART * (double)periods);
    request.keep = (size_t)kept;
    request.skip = periods - request.keep;
    snprintf(vary, sizeof vary, IC_DIAGRAM_VARY ":%zu", sets);
    if (!ic_grid_add(&request.grid, vary, &error) || !ic_sweep_open(&sweep, &request, &error)) return false;
    const bool good = distribute_sweep(result, &sweep, threads);
    ic_sweep_close(&sweep);
    return good;
}

/* ---- the least of several timings */

static bool time_repetition(ic_cost_diagram *d, size_t sets, size_t periods, size_t threads)
{
    timed_sweep one, two;
    if (!follow_diagram(&one, sets, periods, 1)) return false;
    d->left = (double)one.counts.left;
    d->events = one.counts.events;
    /* of NAN and a number, fmin returns the number */
    d->processor = fmin(d->processor, one.processor);
    d->one = fmin(d->one, one.clock);
    snprintf(d->engine, sizeof d->engine, "%s", one.engine);
    snprintf(d->solver, sizeof d->solver, "%s", one.solver);
    if (threads < 2) return true;
    if (!follow_diagram(&two, sets, periods, 2) || two.counts.events != one.counts.events) return false;
    d->two = fmin(d->two, two.clock);
    return true;
}

/* Sets followed for one period cost little more than their preparation (parameters, spectra,
   tables). */
static bool time_opening(ic_cost_diagram *d, size_t sets)
{
    timed_sweep opening;
    if (!follow_diagram(&opening, sets, 1, 1)) return false;
    d->opening = fmin(d->opening, opening.processor);
    return true;
}

bool ic_diagram_time(ic_cost_diagram *d, size_t sets, size_t periods)
{
    const size_t threads = ic_threads_available();
    const double begin = elapsed_time();
    *d = ic_cost_diagram_none;
    d->sets = (double)sets;
    d->periods = (double)periods;
    for (int i = 0; i < TIMINGS && elapsed_time() - begin < ENOUGH; i++) {
        if (!time_repetition(d, sets, periods, threads) || !time_opening(d, sets)) return false;
    }
    return true;
}

void ic_diagram_measure(ic_cost_diagram *diagram, bool whole)
{
    bool good = whole || ic_diagram_time(diagram, PART_SETS, PART_PERIODS);
    if (good && (whole || diagram->one * ic_diagram_scale(diagram) < SHORT))
        good = ic_diagram_time(diagram, (size_t)IC_DIAGRAM_SETS, (size_t)IC_DIAGRAM_PERIODS);
    if (!good) *diagram = ic_cost_diagram_none;
}

double ic_diagram_scale(const ic_cost_diagram *diagram)
{
    return IC_DIAGRAM_SETS * IC_DIAGRAM_PERIODS / (diagram->sets * diagram->periods);
}

double ic_diagram_per_event(const ic_cost_diagram *diagram)
{
    return (diagram->processor - diagram->opening) / diagram->events;
}

double ic_diagram_efficiency(const ic_cost_diagram *diagram)
{
    return diagram->one / (2 * diagram->two);
}
